// Sends, lists, reads and is refused with the Go client of openapi-generator; prints what came of it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	"example.com/clients/einvoicing"
)

var (
	taxpayer = os.Getenv("TAXPAYER")
	number   = os.Getenv("NUMBER")
	client   = newClient()
	// The key goes with the context of each request.
	background = context.WithValue(context.Background(), einvoicing.ContextAPIKeys, map[string]einvoicing.APIKey{
		"ApiKey": {Prefix: "Api-Key", Key: os.Getenv("KEY")},
	})
)

func newClient() *einvoicing.APIClient {
	configuration := einvoicing.NewConfiguration()
	configuration.Servers = einvoicing.ServerConfigurations{{URL: os.Getenv("API") + "/v1"}}
	return einvoicing.NewAPIClient(configuration)
}

func decimal(text string) einvoicing.Decimal {
	return einvoicing.StringAsDecimal(&text)
}

func invoice(currency, suffix string) einvoicing.InvoiceBody {
	address := einvoicing.NewAddress()
	address.SetLine1("Jebel Ali Free Zone, Gate 5")
	address.SetCity("Dubai")
	address.SetCountrySubdivision("DXB")
	customer := einvoicing.NewParty()
	customer.SetName("Oasis Supplies FZE")
	customer.SetVatIdentifier("100123450200003")
	customer.SetAddress(*address)
	price := einvoicing.NewPrice()
	price.SetNetPrice(decimal("450.00"))
	printer := einvoicing.NewLine(*einvoicing.NewItem("Label printer"), *price, decimal("2"), *einvoicing.NewLineVat("S"))
	means := []einvoicing.PaymentMeans{*einvoicing.NewPaymentMeans("10")}
	body := einvoicing.NewInvoiceBody(*customer, "2030-01-31", number+suffix, []einvoicing.Line{*printer})
	body.SetSourceId(number)
	body.SetCurrency(currency)
	body.SetPaymentMeans(einvoicing.ArrayOfPaymentMeansAsCreditNoteBodyPaymentMeans(&means))
	body.SetMetadata(map[string]string{"order": "4711"})
	return *body
}

func send(body einvoicing.InvoiceBody) (*einvoicing.DocumentResponse, *http.Response, error) {
	request := client.SendingAPI.SendInvoice(background).XAeTaxpayerId(taxpayer).IdempotencyKey(body.InvoiceNumber)
	return request.InvoiceBody(body).Execute()
}

func sent(body einvoicing.InvoiceBody) string {
	document, _, err := send(body)
	must(err)
	return document.DocumentId
}

func get(documentID string) (*einvoicing.DocumentResponse, *http.Response, error) {
	return client.DocumentsAPI.GetDocument(background, documentID).XAeTaxpayerId(taxpayer).Execute()
}

func pages() [][]string {
	var found [][]string
	request := client.DocumentsAPI.ListDocuments(background).XAeTaxpayerId(taxpayer).SourceId(number).Limit(1)
	for {
		page, _, err := request.Execute()
		must(err)
		var ids []string
		for _, document := range page.Items {
			ids = append(ids, document.DocumentId)
		}
		found = append(found, ids)
		next := page.NextCursor.Get()
		if next == nil {
			return found
		}
		request = request.Cursor(*next)
	}
}

func read(documentID string) map[string]any {
	document, _, err := get(documentID)
	must(err)
	return map[string]any{
		"status":    document.Status,
		"total":     document.TotalWithVat,
		"due":       document.DueDate.Get(),
		"customer":  document.Customer.Name,
		"metadata":  document.Metadata,
		"reporting": document.Reporting.Get(),
	}
}

func pdf(documentID string) string {
	file, _, err := client.DocumentsAPI.GetDocumentPdf(background, documentID).XAeTaxpayerId(taxpayer).Execute()
	must(err)
	defer os.Remove(file.Name())
	defer file.Close()
	begins := make([]byte, 4)
	_, err = io.ReadFull(file, begins)
	must(err)
	return string(begins)
}

// What was refused, and why: 429 and the like may be API Gateway's own answer, which has no detail.
func refused(_ *einvoicing.DocumentResponse, response *http.Response, err error) map[string]any {
	var refusal *einvoicing.GenericOpenAPIError
	if !errors.As(err, &refusal) {
		log.Fatalf("not refused: %v", err)
	}
	answer, ok := refusal.Model().(einvoicing.ErrorResponse)
	if !ok {
		log.Fatalf("no ErrorResponse: %s", refusal.Body())
	}
	found := []map[string]any{}
	for _, each := range answer.Detail.Errors {
		found = append(found, map[string]any{"pointer": each.Pointer, "rule": each.Rule, "severity": each.Severity})
	}
	return map[string]any{
		"status": response.StatusCode, "code": answer.Detail.Code, "complete": answer.Detail.Complete, "errors": found,
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	first, again, second := sent(invoice("AED", "-1")), sent(invoice("AED", "-1")), sent(invoice("AED", "-2"))
	told, err := json.Marshal(map[string]any{
		"first":   first,
		"again":   again,
		"second":  second,
		"pages":   pages(),
		"read":    read(first),
		"pdf":     pdf(first),
		"invalid": refused(send(invoice("XXY", "-3"))),
		"unknown": refused(get("doc_0")),
	})
	must(err)
	fmt.Println(string(told))
}
