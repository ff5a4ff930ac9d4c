import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;

/** Sends an invoice and reads it back. Reads API, KEY and TAXPAYER from the environment. */
public class FirstInvoice {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(System.getenv("API") + "/v1" + path))
        .header("Authorization", "Api-Key " + System.getenv("KEY"))
        .header("x-ae-taxpayer-id", System.getenv("TAXPAYER"))
        .header("Content-Type", "application/json");
  }

  private static String answer(HttpRequest request) throws Exception {
    var response = CLIENT.send(request, BodyHandlers.ofString());
    if (response.statusCode() >= 400) {
      throw new IllegalStateException(response.statusCode() + " " + response.body());
    }
    return response.body();
  }

  public static void main(String[] arguments) throws Exception {
    var number = "INV-" + System.nanoTime() + "-java";
    var invoice =
        """
        {
          "invoice_number": "%s",
          "due_date": "2030-01-31",
          "customer": {
            "name": "Oasis Supplies FZE",
            "vat_identifier": "100123450200003",
            "address": {"line_1": "Jebel Ali Free Zone, Gate 5", "city": "Dubai", "country_subdivision": "DXB"}
          },
          "line_items": [
            {"item": {"name": "Label printer"}, "quantity": "2", "price": {"net_price": "450.00"}, "vat": {"category_code": "S"}}
          ]
        }
        """
            .formatted(number);
    // Use the same key for each retry of this invoice: repeated sends create only one document.
    var send = to("/invoices").header("Idempotency-Key", number).POST(BodyPublishers.ofString(invoice));
    var sent = answer(send.build());
    // Java has no JSON parser. With a library, read document_id from the object.
    var id = Pattern.compile("\"document_id\":\"(doc_[^\"]+)\"").matcher(sent);
    if (!id.find()) {
      throw new IllegalStateException(sent);
    }
    System.out.println(answer(to("/invoices/" + id.group(1)).GET().build()));
  }
}
