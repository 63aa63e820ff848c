module github.com/hugo-stacosys/hugo-stacosys

go 1.18
