package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		told := strings.Split(lines.Text(), "\t")
		header := http.Header{}
		for place, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			if told[place+1] != "-" {
				header.Set(name, told[place+1])
			}
		}
		body, _ := base64.StdEncoding.DecodeString(told[4])
		if id, err := Verify(told[0], header, body); err == nil {
			fmt.Println("verified", id)
		} else {
			fmt.Println("refused", err)
		}
	}
}
