import { readFile, stat } from "node:fs/promises";
import { networkNameCharactersMax } from "@palisade/contract/edge/plain-values";
import { Reader, type Response } from "mmdb-lib";
import type { Logger } from "#src/ports.ts";

/** How often the files are checked for changes. */
const lookEveryMs = 30_000;
/** Larger than any database of countries, cities or networks. */
const fileBytesMax = 512 * 1024 * 1024;

interface Database {
  readonly path: string;
  readonly version: string;
  readonly reader: Reader<Response>;
  readonly hasCountries: boolean;
  readonly hasNetworks: boolean;
}

export interface NetworkNamesDeps {
  /** Files in MaxMind's format. */
  readonly paths: readonly string[];
  readonly log: Pick<Logger, "info" | "warn">;
  readonly lookEveryMs?: number;
}

/** The country and the network's name; undefined: there is no database. Empty: it has no entry. */
export interface FoundNames {
  readonly country: string | undefined;
  readonly network: string | undefined;
}

/**
 * Countries and networks of players, from the operator's files. A file is read again when it has changed;
 * a damaged one leaves the former version in use.
 */
export class NetworkNames {
  readonly #deps: NetworkNamesDeps;
  #databases: readonly Database[] = [];
  /** Versions of files that could not be used; logged once. */
  readonly #broken = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(deps: NetworkNamesDeps) {
    this.#deps = deps;
  }

  static none(): NetworkNames {
    return new NetworkNames({ paths: [], log: { info: () => undefined, warn: () => undefined } });
  }

  get hasCountries(): boolean {
    return this.#databases.some(({ hasCountries }) => hasCountries);
  }

  get hasNetworks(): boolean {
    return this.#databases.some(({ hasNetworks }) => hasNetworks);
  }

  /** Resolves when the files were read for the first time. */
  start(): Promise<void> {
    if (this.#deps.paths.length === 0) return Promise.resolve();
    this.#timer ??= setInterval(() => void this.look(), this.#deps.lookEveryMs ?? lookEveryMs);
    this.#timer.unref();
    return this.look();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Reads files that have changed. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.#readAll().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  find(ip: string): FoundNames {
    let country: string | undefined;
    let network: string | undefined;
    for (const { reader, hasCountries, hasNetworks } of this.#databases) {
      const record = recordOf(reader, ip);
      if (hasCountries) country = country || countryOf(record);
      if (hasNetworks) network = network || networkOf(record);
    }
    return { country, network };
  }

  async #readAll(): Promise<void> {
    const databases: Database[] = [];
    for (const path of this.#deps.paths) {
      const known = this.#databases.find((database) => database.path === path);
      const read = await this.#read(path, known);
      if (read !== undefined) databases.push(read);
    }
    this.#databases = databases;
  }

  async #read(path: string, known: Database | undefined): Promise<Database | undefined> {
    let version = "";
    try {
      const { mtimeMs, size } = await stat(path);
      version = `${mtimeMs} ${size}`;
      if (known?.version === version || this.#broken.get(path) === version) return known;
      if (size > fileBytesMax) throw new Error("is too large");
      const reader = new Reader<Response>(await readFile(path));
      const { databaseType } = reader.metadata;
      const hasCountries = /country|city|enterprise/i.test(databaseType);
      const hasNetworks = /asn|isp|enterprise/i.test(databaseType);
      if (!hasCountries && !hasNetworks) throw new Error("has neither countries nor networks");
      this.#deps.log.info({ file: path, databaseType }, "database of addresses is in use");
      return { path, version, reader, hasCountries, hasNetworks };
    } catch (error) {
      if (this.#broken.get(path) !== version) {
        this.#deps.log.warn({ err: error, file: path }, "database of addresses cannot be used");
      }
      this.#broken.set(path, version);
      return known;
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** The library throws whatever it stumbles over in a damaged file. */
function recordOf(reader: Reader<Response>, ip: string): Fields {
  try {
    return fieldsOf(reader.get(ip));
  } catch {
    return {};
  }
}

function countryOf(record: Fields): string {
  const { iso_code: code } = fieldsOf(record["country"] ?? record["registered_country"]);
  return typeof code === "string" && /^[A-Z]{2}$/.test(code) ? code : "";
}

function networkOf(record: Fields): string {
  const { autonomous_system_number: asn, autonomous_system_organization: name } = record;
  if (typeof asn !== "number" || !Number.isInteger(asn) || asn < 0 || asn > 0xffff_ffff) return "";
  const printable = typeof name === "string" ? name.replace(/[^\x20-\x7e]/g, "") : "";
  return `${asn} ${printable.slice(0, networkNameCharactersMax)}`;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
