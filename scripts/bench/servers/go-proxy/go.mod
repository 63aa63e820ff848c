module github.com/hugo-stacosys/hugo-stacosys/scripts/bench/servers/go-proxy

go 1.19

require github.com/patrickmn/go-cache v2.1.0+incompatible
