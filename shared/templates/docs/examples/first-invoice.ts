// Sends an invoice and reads it back. Reads API, KEY and TAXPAYER from the environment.
declare const process: { env: Record<string, string> };
const { API, KEY, TAXPAYER } = process.env;

interface Sent {
  document_id: string;
  status: string;
  total_with_vat: string;
}

async function call<T>(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
  const answer = await fetch(`${API}/v1${path}`, {
    method,
    headers: {
      Authorization: `Api-Key ${KEY}`,
      "x-ae-taxpayer-id": TAXPAYER,
      "Content-Type": "application/json",
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) {
    throw new Error(`${answer.status} ${await answer.text()}`);
  }
  return answer.json();
}

const number = `INV-${Date.now()}-ts`;
const invoice = {
  invoice_number: number,
  due_date: "2030-01-31",
  customer: {
    name: "Oasis Supplies FZE",
    vat_identifier: "100123450200003",
    address: { line_1: "Jebel Ali Free Zone, Gate 5", city: "Dubai", country_subdivision: "DXB" },
  },
  line_items: [
    { item: { name: "Label printer" }, quantity: "2", price: { net_price: "450.00" }, vat: { category_code: "S" } },
  ],
};
// Use the same key for each retry of this invoice: repeated sends create only one document.
const sent = await call<Sent>("POST", "/invoices", invoice, { "Idempotency-Key": number });
const read = await call<Sent>("GET", `/invoices/${sent.document_id}`);
console.log(read.document_id, read.status, read.total_with_vat);

export {};
