module github.com/hugo-stacosys/hugo-stacosys

go 1.19

require github.com/patrickmn/go-cache v2.1.0+incompatible
