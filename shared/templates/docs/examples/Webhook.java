import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Pattern;

/** Creates an endpoint and sends it a test event. Reads API, KEY and URL (the address of your program) from the environment. */
public class Webhook {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static String post(String path, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(System.getenv("API") + "/v1" + path))
            .header("Authorization", "Api-Key " + System.getenv("KEY"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    var answer = CLIENT.send(request, BodyHandlers.ofString());
    if (answer.statusCode() >= 400) {
      throw new IllegalStateException(answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  public static void main(String[] arguments) throws Exception {
    var asked =
        """
        {"url": "%s", "event_types": ["document.sent", "document.status", "document.reported"], "description": "ERP"}
        """;
    var endpoint = post("/webhook-endpoints", asked.formatted(System.getenv("URL")));
    // The response has the signing secret, only once.
    System.out.println(endpoint);

    // Sends a test event to the endpoint, like a real one. Java has no JSON parser. With a library, read endpoint_id.
    var id = Pattern.compile("\"endpoint_id\":\"(we_[^\"]+)\"").matcher(endpoint);
    if (!id.find()) {
      throw new IllegalStateException(endpoint);
    }
    System.out.println(post("/webhook-endpoints/" + id.group(1) + "/test", "{\"event_type\": \"document.sent\"}"));
  }
}
