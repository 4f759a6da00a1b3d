/** Names of the brands that card providers report; any other is shown as it is. */
const names: Readonly<Record<string, string>> = {
  visa: "Visa",
  mastercard: "Mastercard",
  amex: "American Express",
  discover: "Discover",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay",
  cartes_bancaires: "Cartes Bancaires",
  eftpos_au: "eftpos",
};

/** Null where the provider does not know the brand. */
export function brandName(brand: string): string | null {
  if (brand === "" || brand === "unknown") return null;
  return names[brand] ?? brand;
}
