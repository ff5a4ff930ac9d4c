import com.google.gson.GsonBuilder;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.DocumentsApi;
import org.openapitools.client.api.SendingApi;
import org.openapitools.client.model.Address;
import org.openapitools.client.model.CreditNoteBodyPaymentMeans;
import org.openapitools.client.model.Decimal;
import org.openapitools.client.model.ErrorDetail;
import org.openapitools.client.model.ErrorResponse;
import org.openapitools.client.model.InvoiceBody;
import org.openapitools.client.model.Item;
import org.openapitools.client.model.Line;
import org.openapitools.client.model.LineVat;
import org.openapitools.client.model.ListDocumentsResponse;
import org.openapitools.client.model.Party;
import org.openapitools.client.model.PaymentMeans;
import org.openapitools.client.model.Price;

/** Sends, lists, reads and is refused with the Java client of openapi-generator; prints what came of it. */
public class Program {
  private static final String TAXPAYER = System.getenv("TAXPAYER");
  private static final String NUMBER = System.getenv("NUMBER");
  private static final ApiClient CLIENT = client();
  private static final SendingApi SENDING = new SendingApi(CLIENT);
  private static final DocumentsApi DOCUMENTS = new DocumentsApi(CLIENT);

  private static ApiClient client() {
    var client = new ApiClient().setBasePath(System.getenv("API") + "/v1");
    client.setApiKeyPrefix("Api-Key");
    client.setApiKey(System.getenv("KEY"));
    return client;
  }

  private static InvoiceBody invoice(String currency, String suffix) {
    var address = new Address().line1("Jebel Ali Free Zone, Gate 5").city("Dubai").countrySubdivision("DXB");
    var printer =
        new Line()
            .item(new Item().name("Label printer"))
            .quantity(new Decimal("2"))
            .price(new Price().netPrice(new Decimal("450.00")))
            .vat(new LineVat().categoryCode("S"));
    return new InvoiceBody()
        .invoiceNumber(NUMBER + suffix)
        .sourceId(NUMBER)
        .dueDate(LocalDate.of(2030, 1, 31))
        .currency(currency)
        .customer(new Party().name("Oasis Supplies FZE").vatIdentifier("100123450200003").address(address))
        .addLineItemsItem(printer)
        .paymentMeans(new CreditNoteBodyPaymentMeans(List.of(new PaymentMeans().meansCode("10"))))
        .putMetadataItem("order", "4711");
  }

  private static String sent(InvoiceBody body) throws ApiException {
    return SENDING.sendInvoice(body, TAXPAYER, null, body.getInvoiceNumber(), null).getDocumentId();
  }

  private static ListDocumentsResponse page(String cursor) throws ApiException {
    return DOCUMENTS.listDocuments(TAXPAYER, null, null, null, null, NUMBER, null, null, null, null, null, cursor, 1);
  }

  private static List<List<String>> pages() throws ApiException {
    var found = new ArrayList<List<String>>();
    String cursor = null;
    do {
      var page = page(cursor);
      found.add(page.getItems().stream().map(document -> document.getDocumentId()).toList());
      cursor = page.getNextCursor();
    } while (cursor != null);
    return found;
  }

  private static Map<String, Object> read(String documentId) throws ApiException {
    var document = DOCUMENTS.getDocument(documentId, TAXPAYER, null);
    var told = new LinkedHashMap<String, Object>();
    told.put("status", document.getStatus());
    told.put("total", document.getTotalWithVat());
    told.put("due", document.getDueDate().toString());
    told.put("customer", document.getCustomer().getName());
    told.put("metadata", document.getMetadata());
    told.put("reporting", document.getReporting());
    return told;
  }

  private static String pdf(String documentId) throws Exception {
    var file = DOCUMENTS.getDocumentPdf(documentId, TAXPAYER, null, null, null);
    try (var bytes = Files.newInputStream(file.toPath(), StandardOpenOption.DELETE_ON_CLOSE)) {
      return new String(bytes.readNBytes(4));
    }
  }

  private interface Call {
    Object answer() throws ApiException;
  }

  private static Map<String, Object> refused(Call call) throws Exception {
    try {
      throw new IllegalStateException("taken: " + call.answer());
    } catch (ApiException error) {
      // The exception has the body as text; 429 and the like may be API Gateway's own, which is no ErrorResponse.
      ErrorDetail detail = ErrorResponse.fromJson(error.getResponseBody()).getDetail();
      var errors = new ArrayList<Map<String, Object>>();
      for (var each : detail.getErrors()) {
        errors.add(Map.of("pointer", each.getPointer(), "rule", each.getRule(), "severity", each.getSeverity()));
      }
      var told = new LinkedHashMap<String, Object>();
      told.put("status", error.getCode());
      told.put("code", detail.getCode());
      told.put("complete", detail.getComplete());
      told.put("errors", errors);
      return told;
    }
  }

  public static void main(String[] arguments) throws Exception {
    var told = new LinkedHashMap<String, Object>();
    told.put("first", sent(invoice("AED", "-1")));
    told.put("again", sent(invoice("AED", "-1")));
    told.put("second", sent(invoice("AED", "-2")));
    told.put("pages", pages());
    told.put("read", read((String) told.get("first")));
    told.put("pdf", pdf((String) told.get("first")));
    told.put("invalid", refused(() -> SENDING.sendInvoice(invoice("XXY", "-3"), TAXPAYER, null, null, null)));
    told.put("unknown", refused(() -> DOCUMENTS.getDocument("doc_0", TAXPAYER, null)));
    System.out.println(new GsonBuilder().serializeNulls().create().toJson(told));
  }
}
