import { readFile, stat } from "node:fs/promises";
import { Reader, type Response } from "mmdb-lib";

/** The place of an address, as far as the operator's databases know. */
export interface Place {
  readonly country: string | null;
  readonly asn: number | null;
  readonly network: string | null;
}

export interface PlaceLookup {
  /** Which of the databases are in use. */
  readonly known: () => { readonly countries: boolean; readonly networks: boolean };
  /** @param ip a valid address */
  readonly of: (ip: string) => Place;
  /** Reads the files, and again whenever they change. Without files, every place is unknown. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
}

export interface PlaceLookupOptions {
  /** Files in MaxMind's format, of countries and of autonomous systems. */
  readonly countries: string | undefined;
  readonly networks: string | undefined;
  readonly log: { warn(facts: object, message: string): void };
}

const lookAgainMs = 600_000;
/** The databases are read whole. */
const fileBytesMax = 512 * 1024 * 1024;
const networkCharactersMax = 80;

export function createPlaceLookup({ log, ...files }: PlaceLookupOptions): PlaceLookup {
  const countries = createDatabase(files.countries, log);
  const networks = createDatabase(files.networks, log);
  let timer: NodeJS.Timeout | undefined;
  const refresh = async () => {
    await countries.refresh();
    await networks.refresh();
  };
  return {
    known: () => ({ countries: countries.isOpen(), networks: networks.isOpen() }),
    of(ip) {
      const network = networks.look(ip);
      const asn = asnOf(network);
      return {
        country: countryOf(countries.look(ip)),
        asn,
        network: asn === null ? null : nameOf(network),
      };
    },
    async start() {
      await refresh();
      timer = setInterval(() => void refresh(), lookAgainMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}

function createDatabase(file: string | undefined, log: PlaceLookupOptions["log"]) {
  let reader: Reader<Response> | undefined;
  let readMs = 0;
  return {
    isOpen: () => reader !== undefined,
    look(ip: string): unknown {
      try {
        return reader?.get(ip) ?? null;
      } catch {
        // A damaged part of the file, or an IPv6 address in a file of IPv4.
        return null;
      }
    },
    /** Keeps what it has where the new file cannot be read. */
    async refresh(): Promise<void> {
      if (file === undefined) return;
      try {
        const { mtimeMs, size } = await stat(file);
        if (mtimeMs === readMs) return;
        if (size > fileBytesMax) throw new Error("the file is too large");
        reader = new Reader(await readFile(file));
        readMs = mtimeMs;
      } catch (error) {
        log.warn({ err: error, file }, "A database of addresses could not be read");
      }
    },
  };
}

function field(record: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inner, name) =>
      typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined,
    record,
  );
}

/** As MaxMind and DB-IP have it, then as IPinfo. */
function countryOf(record: unknown): string | null {
  const code = field(record, "country", "iso_code") ?? field(record, "country_code");
  return typeof code === "string" && /^[A-Z]{2}$/.test(code) ? code : null;
}

function asnOf(record: unknown): number | null {
  const number = field(record, "autonomous_system_number") ?? field(record, "asn");
  const asn = typeof number === "string" ? Number(number.replace(/^AS/, "")) : number;
  return typeof asn === "number" && Number.isInteger(asn) && asn > 0 && asn < 2 ** 32 ? asn : null;
}

function nameOf(record: unknown): string {
  const name = field(record, "autonomous_system_organization") ?? field(record, "as_name");
  // Also of names in other scripts, PostgreSQL refuses NUL and half a surrogate.
  return typeof name === "string"
    ? name.toWellFormed().replaceAll("\0", "").slice(0, networkCharactersMax).toWellFormed()
    : "";
}
