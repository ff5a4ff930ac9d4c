import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Shows the errors of an invoice, and retries where a retry can help. Reads API, KEY and TAXPAYER from the environment. */
public class Errors {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Retries 429, 503, and 409 with Retry-After, always with the same payload and key. */
  private static HttpResponse<String> send(String path, String body, String key, int tries) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(System.getenv("API") + "/v1" + path))
            .header("Authorization", "Api-Key " + System.getenv("KEY"))
            .header("x-ae-taxpayer-id", System.getenv("TAXPAYER"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body))
            .build();
    for (var left = tries - 1; ; left--) {
      var response = CLIENT.send(request, BodyHandlers.ofString());
      var wait = response.headers().firstValueAsLong("Retry-After");
      if (wait.isEmpty() || left == 0) {
        return response;
      }
      Thread.sleep(Math.min(wait.getAsLong(), 60) * 1_000);
    }
  }

  public static void main(String[] arguments) throws Exception {
    var invoice =
        """
        {"invoice_number": "INV-1", "currency": "EURO", "line_items": []}
        """;
    var answer = send("/invoices", invoice, "an-invoice-that-is-wrong", 5);
    // Java has no JSON parser. With a library, read code and errors from detail, and rule, pointer, message and doc_url of each.
    System.out.println(answer.statusCode() + " " + answer.body());
  }
}
