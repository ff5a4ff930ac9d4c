// Standard Webhooks 1.0.0: call Verify with the raw body before you parse it. Respond with 401 if it returns an error.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// Verify returns the webhook-id, which stays the same when an event is sent again. The secret is the signing secret, whsec_….
func Verify(secret string, header http.Header, body []byte) (string, error) {
	id, timestamp, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return "", errors.New("a webhook-… header is missing")
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 50)
	if err != nil || time.Since(time.Unix(int64(seconds), 0)).Abs() > tolerance {
		return "", errors.New("webhook-timestamp is more than five minutes off")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return "", errors.New("the secret is not valid")
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	// During a rotation, there is one signature for each secret.
	for _, signature := range strings.Split(signatures, " ") {
		encoded, isV1 := strings.CutPrefix(signature, "v1,")
		given, err := base64.StdEncoding.DecodeString(encoded)
		if isV1 && err == nil && hmac.Equal(given, expected) {
			return id, nil
		}
	}
	return "", errors.New("no signature matches the secret and the body")
}
