// Calls a development node from Go's standard library: amounts stay exact.
//
//	npx antara-tx node --json | go run examples/clients/balance.go
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

type identity struct {
	URL      string `json:"url"`
	User     string `json:"user"`
	Password string `json:"password"`
	Address  string `json:"address"`
}

func call(to identity, method string, params ...any) json.RawMessage {
	body, _ := json.Marshal(map[string]any{"method": method, "params": params, "id": 1})
	request, err := http.NewRequest("POST", to.URL, bytes.NewReader(body))
	check(err)
	request.SetBasicAuth(to.User, to.Password)
	reply, err := http.DefaultClient.Do(request)
	check(err)
	defer reply.Body.Close()
	var answer struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	check(json.NewDecoder(reply.Body).Decode(&answer))
	if answer.Error != nil {
		check(fmt.Errorf("%s", answer.Error.Message))
	}
	return answer.Result
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	line, err := bufio.NewReader(os.Stdin).ReadBytes('\n')
	check(err)
	var node struct{ Identities []identity }
	check(json.Unmarshal(line, &node))
	alice, bob := node.Identities[0], node.Identities[1]
	fmt.Println("sent", string(call(alice, "sendtoaddress", bob.Address, 0.5)))
	// A RawMessage keeps the digits of the number; a float64 would not.
	fmt.Println("bob received", string(call(bob, "getreceivedbyaddress", bob.Address)))
}
