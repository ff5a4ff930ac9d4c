/** Sends, lists, reads and is refused with the types of openapi-typescript and openapi-fetch; prints what came of it. */
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];

const { API, KEY, TAXPAYER, NUMBER } = process.env as Record<"API" | "KEY" | "TAXPAYER" | "NUMBER", string>;
const client = createClient<paths>({ baseUrl: `${API}/v1`, headers: { Authorization: `Api-Key ${KEY}` } });
const header = { "x-ae-taxpayer-id": TAXPAYER };

function invoice(currency: string, suffix: string): Schemas["InvoiceBody"] {
  return {
    invoice_number: NUMBER + suffix,
    source_id: NUMBER,
    due_date: "2030-01-31",
    currency,
    customer: {
      name: "Oasis Supplies FZE",
      vat_identifier: "100123450200003",
      address: { line_1: "Jebel Ali Free Zone, Gate 5", city: "Dubai", country_subdivision: "DXB" },
    },
    line_items: [
      { item: { name: "Label printer" }, quantity: "2", price: { net_price: "450.00" }, vat: { category_code: "S" } },
    ],
    payment_means: [{ means_code: "10" }],
    metadata: { order: "4711" },
  };
}

function send(body: Schemas["InvoiceBody"]) {
  return client.POST("/invoices", { params: { header: { ...header, "Idempotency-Key": body.invoice_number } }, body });
}

async function sent(body: Schemas["InvoiceBody"]): Promise<string> {
  const { data, error } = await send(body);
  if (!data) throw new Error(JSON.stringify(error));
  return data.document_id;
}

async function page(cursor?: string): Promise<Schemas["ListDocumentsResponse"]> {
  const query = { source_id: NUMBER, limit: 1, ...(cursor ? { cursor } : {}) };
  const { data, error } = await client.GET("/invoices", { params: { header, query } });
  if (!data) throw new Error(JSON.stringify(error));
  return data;
}

async function pages(): Promise<string[][]> {
  const found = [];
  for (let next = await page(); ; next = await page(next.next_cursor)) {
    found.push(next.items.map((document) => document.document_id));
    if (next.next_cursor === null) return found;
  }
}

async function read(document_id: string) {
  const { data, error } = await client.GET("/invoices/{document_id}", { params: { header, path: { document_id } } });
  if (!data) throw new Error(JSON.stringify(error));
  return {
    status: data.status,
    total: data.total_with_vat,
    due: data.due_date,
    customer: data.customer.name,
    metadata: data.metadata,
    reporting: data.reporting,
  };
}

async function pdf(document_id: string): Promise<string> {
  const params = { header, path: { document_id } };
  const { data, error } = await client.GET("/invoices/{document_id}/pdf", { params, parseAs: "arrayBuffer" });
  if (!data) throw new Error(JSON.stringify(error));
  return Buffer.from(data).subarray(0, 4).toString();
}

/** What was refused, and why: 429 and the like may be API Gateway's own answer, which has no detail. */
function refused(response: Response, error: Schemas["ErrorResponse"] | Schemas["GatewayError"] | undefined) {
  if (!error || !("detail" in error)) throw new Error(`${response.status} ${JSON.stringify(error)}`);
  const errors = error.detail.errors.map(({ pointer, rule, severity }) => ({ pointer, rule, severity }));
  return { status: response.status, code: error.detail.code, complete: error.detail.complete ?? null, errors };
}

const first = await sent(invoice("AED", "-1"));
const again = await sent(invoice("AED", "-1"));
const second = await sent(invoice("AED", "-2"));
const invalid = await send(invoice("XXY", "-3"));
const unknown = await client.GET("/invoices/{document_id}", { params: { header, path: { document_id: "doc_0" } } });
console.log(
  JSON.stringify({
    first,
    again,
    second,
    pages: await pages(),
    read: await read(first),
    pdf: await pdf(first),
    invalid: refused(invalid.response, invalid.error),
    unknown: refused(unknown.response, unknown.error),
  }),
);
