"""UBL converts back to bodies: the product's own documents lose nothing, and each loss of the official examples is listed."""
import json
import os
import re
import subprocess
from collections import Counter

import product

# Content of the official examples without a field, without the places of lines.
BEYOND = {
    # The VAT of a line is in ItemPriceExtension (BTAE-08), in AED whatever the document's currency.
    "/ubl:Invoice/cac:InvoiceLine/cac:TaxTotal/cbc:TaxAmount": 3,
    "/ubl:Invoice/cac:InvoiceLine/cac:TaxTotal/cbc:TaxAmount/@currencyID": 3,
    "/ubl:Invoice/cac:InvoiceLine/cac:ItemPriceExtension/cbc:Amount": 2,
    "/ubl:Invoice/cac:InvoiceLine/cac:ItemPriceExtension/cbc:Amount/@currencyID": 2,
    "/ubl:Invoice/cac:InvoiceLine/cac:ItemPriceExtension/cac:TaxTotal/cbc:TaxAmount": 2,
    "/ubl:Invoice/cac:InvoiceLine/cac:ItemPriceExtension/cac:TaxTotal/cbc:TaxAmount/@currencyID": 2,
    # No business terms.
    "/ubl:Invoice/cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory/cbc:PerUnitAmount": 2,
    "/ubl:Invoice/cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory/cbc:PerUnitAmount/@currencyID": 2,
    "/ubl:Invoice/cac:InvoicePeriod/cbc:Description": 1,
    "/ubl:CreditNote/cac:DiscrepancyResponse/cbc:Description": 1,
    "/ubl:CreditNote/cac:CreditNoteLine/cac:DiscrepancyResponse/cbc:ResponseCode": 1,
    "/ubl:CreditNote/cac:CreditNoteLine/cac:DiscrepancyResponse/cbc:Description": 1,
    # A second reason (BTAE-03), the issuer of an identifier that is neither licence nor passport, a misspelt AED.
    "/ubl:CreditNote/cac:DiscrepancyResponse/cbc:ResponseCode": 1,
    "/ubl:Invoice/cac:AccountingCustomerParty/cac:Party/cac:PartyLegalEntity/cbc:CompanyID/@schemeAgencyName": 1,
    "/ubl:Invoice/cac:AdditionalDocumentReference/cbc:ID": 1,
}


def convert(contents, out):
    """UBL of the contents that can be written as a body, by place; and the reasons for the others."""
    out.mkdir(parents=True)
    command = [product.binary("ACCESS_POINT_BIN", "access-point"), "convert", "--out", out, "--operation"]
    batches = {}
    for place, content in contents.items():
        body = out / f"{place}.json"
        body.write_text(json.dumps(content["content"]))
        taxpayer = ()
        if content["customer"]:  # self-billed: the buyer is the taxpayer
            profile = out / f"{place}.taxpayer"
            profile.write_text(json.dumps(content["customer"]))
            taxpayer = ("--taxpayer", profile)
        batches.setdefault((content["type"], *taxpayer), []).append(body)
    refused = []
    for (operation, *taxpayer), bodies in batches.items():
        done = subprocess.run([*command, operation, *taxpayer, *bodies], capture_output=True, text=True)
        refused += [line for line in done.stderr.splitlines() if ": error " in line]
    return {place: out / f"{place}.xml" for place in contents if (out / f"{place}.xml").exists()}, refused


def test_the_content_of_every_generated_document_sent_again_gives_the_same_bytes(tmp_path, figures):
    count, seed = os.environ.get("CONFORMANCE_COUNT", "2000"), os.environ.get("CONFORMANCE_SEED", "1")
    generate = product.binary("ACCESS_POINT_GENERATE", "generate")
    made = tmp_path / "made"
    subprocess.run([generate, "--count", count, "--seed", seed, "--out", made], check=True, stdout=subprocess.DEVNULL)
    documents = sorted(made.glob("*.xml"))
    contents = dict(zip((d.stem for d in documents), product.content(documents, tmp_path / "read"), strict=True))
    assert [(place, c["unmapped"]) for place, c in contents.items() if c["unmapped"] or c["unmapped_cut"]] == []
    again, refused = convert(contents, tmp_path / "again")
    assert refused == [] and len(again) == len(documents) == int(count)
    changed = [d.stem for d in documents if d.read_bytes() != again[d.stem].read_bytes()]
    assert changed == [], f"of {count} documents (seed {seed})"
    figures(f"content: {count} generated documents (seed {seed}) read and written again, 0 bytes differ, 0 values unmapped")


def test_what_official_examples_hold_beyond_the_vocabulary_is_listed(officials, tmp_path, figures):
    contents = {name.replace("/", "-"): product.content([file], tmp_path / name)[0] for name, file in officials.items()}
    left = [value for content in contents.values() for value in content["unmapped"]]
    for value in left:
        print(value["path"], value["value"])
    assert Counter(re.sub(r"\[\d+\]", "", value["path"]) for value in left) == BEYOND
    again, refused = convert(contents, tmp_path / "again")
    for line in refused:
        print(line)
    validate = [product.binary("ACCESS_POINT_BIN", "access-point"), "validate"]
    assert subprocess.run([*validate, *again.values()], stdout=subprocess.DEVNULL).returncode == 0
    figures(f"content: of {len(contents)} official examples read, {len(again)} are bodies that can be sent; "
            f"{len(left)} values of {len(BEYOND)} kinds unmapped")
