import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** Credits an invoice. Reads API, KEY, TAXPAYER and DOCUMENT (the document_id of the invoice) from the environment. */
public class CreditNote {
  public static void main(String[] arguments) throws Exception {
    var number = "CN-" + System.nanoTime() + "-java";
    var creditNote =
        """
        {
          "credit_note_number": "%s",
          "credit_note_reason_code": "DL8.61.1.D",
          "previous_document_id": "%s",
          "customer": {
            "name": "Oasis Supplies FZE",
            "vat_identifier": "100123450200003",
            "address": {"line_1": "Jebel Ali Free Zone, Gate 5", "city": "Dubai", "country_subdivision": "DXB"}
          },
          "line_items": [
            {"item": {"name": "Label printer"}, "quantity": "1", "price": {"net_price": "450.00"}, "vat": {"category_code": "S"}}
          ]
        }
        """
            .formatted(number, System.getenv("DOCUMENT"));
    var request =
        HttpRequest.newBuilder(URI.create(System.getenv("API") + "/v1/credit-notes"))
            .header("Authorization", "Api-Key " + System.getenv("KEY"))
            .header("x-ae-taxpayer-id", System.getenv("TAXPAYER"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", number)
            .POST(BodyPublishers.ofString(creditNote))
            .build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    if (answer.statusCode() >= 400) {
      throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
    System.out.println(answer.body());
  }
}
