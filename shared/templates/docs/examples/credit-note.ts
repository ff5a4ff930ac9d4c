// Credits an invoice. Reads API, KEY, TAXPAYER and DOCUMENT (the document_id of the invoice) from the environment.
declare const process: { env: Record<string, string> };
const { API, KEY, TAXPAYER, DOCUMENT } = process.env;

const number = `CN-${Date.now()}-ts`;
const creditNote = {
  credit_note_number: number,
  credit_note_reason_code: "DL8.61.1.D",
  previous_document_id: DOCUMENT,
  customer: {
    name: "Oasis Supplies FZE",
    vat_identifier: "100123450200003",
    address: { line_1: "Jebel Ali Free Zone, Gate 5", city: "Dubai", country_subdivision: "DXB" },
  },
  line_items: [
    { item: { name: "Label printer" }, quantity: "1", price: { net_price: "450.00" }, vat: { category_code: "S" } },
  ],
};
const answer = await fetch(`${API}/v1/credit-notes`, {
  method: "POST",
  headers: {
    Authorization: `Api-Key ${KEY}`,
    "x-ae-taxpayer-id": TAXPAYER,
    "Content-Type": "application/json",
    "Idempotency-Key": number,
  },
  body: JSON.stringify(creditNote),
});
if (!answer.ok) {
  throw new Error(`${answer.status} ${await answer.text()}`);
}
console.log(JSON.stringify(await answer.json()));

export {};
