/** The parts of a record in MaxMind's format that tell a place, as different makers name them. */

const nameCharactersMax = 80;

export type Fields = Readonly<Record<string, unknown>>;

export interface Network {
  readonly asn: number;
  /** Its name in printable characters; empty if the database has none. */
  readonly network: string;
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** The content of a file, by the type that it gives itself. */
export function contentOf(databaseType: string): {
  readonly hasCountries: boolean;
  readonly hasNetworks: boolean;
} {
  return {
    hasCountries: /country|city|enterprise/i.test(databaseType),
    hasNetworks: /asn|isp|enterprise/i.test(databaseType),
  };
}

/** As MaxMind and DB-IP name the fields, then as IPinfo does. */
export function countryOf(record: Fields): string | null {
  const nested = fieldsOf(record["country"] ?? record["registered_country"])["iso_code"];
  const code = nested ?? record["country_code"];
  return typeof code === "string" && /^[A-Z]{2}$/.test(code) ? code : null;
}

export function networkOf(record: Fields): Network | undefined {
  const number = record["autonomous_system_number"] ?? record["asn"];
  const asn = typeof number === "string" ? Number(number.replace(/^AS/, "")) : number;
  if (typeof asn !== "number" || !Number.isInteger(asn) || asn < 0 || asn > 0xffff_ffff) {
    return undefined;
  }
  const name = record["autonomous_system_organization"] ?? record["as_name"];
  return { asn, network: typeof name === "string" ? printable(name) : "" };
}

/** Without controls and halves of surrogates, which neither PostgreSQL nor a terminal takes. */
function printable(name: string): string {
  const cut = name
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "")
    .slice(0, nameCharactersMax);
  return cut.toWellFormed();
}
