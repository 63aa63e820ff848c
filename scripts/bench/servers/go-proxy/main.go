// A cache before the count API of Stacosys: it asks for a count once in five minutes, and answers all
// other requests from memory.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/patrickmn/go-cache"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: go-proxy ADDRESS UPSTREAM")
	}
	address, upstream := os.Args[1], os.Args[2]
	answers := cache.New(5*time.Minute, 10*time.Minute)
	http.HandleFunc("/api/comments/count", func(w http.ResponseWriter, r *http.Request) {
		key := r.URL.RequestURI()
		answer, found := answers.Get(key)
		if !found {
			fetched, err := fetch(upstream + key)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
			answers.SetDefault(key, fetched)
			answer = fetched
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer.([]byte))
	})
	log.Fatal(http.ListenAndServe(address, nil))
}

func fetch(url string) ([]byte, error) {
	response, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, response.Status)
	}
	return io.ReadAll(response.Body)
}
