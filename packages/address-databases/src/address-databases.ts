import { readFile, stat } from "node:fs/promises";
import { Reader, type Response } from "mmdb-lib";
import {
  contentOf,
  countryOf,
  fieldsOf,
  networkOf,
  type Fields,
  type Network,
} from "./record-fields.ts";

/** How often the files are checked for changes. */
const lookEveryMs = 30_000;
/** Larger than any database of countries, cities or networks. A file is read whole. */
const fileBytesMax = 512 * 1024 * 1024;
/** Files at once; those after them are left out. */
export const addressFilesMax = 8;

interface Database {
  readonly path: string;
  readonly version: string;
  readonly reader: Reader<Response>;
  readonly hasCountries: boolean;
  readonly hasNetworks: boolean;
}

interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

export interface AddressDatabasesDeps {
  /** Files in MaxMind's format (https://maxmind.github.io/MaxMind-DB/). */
  readonly paths: readonly string[];
  readonly log: Log;
}

/** Null: no database tells it. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** Number of the autonomous system. */
  readonly asn: number | null;
  /** Its name, of printable characters; empty if the database has none. */
  readonly network: string | null;
}

/**
 * Countries and networks of addresses, from the operator's files. A file is read again when it has
 * changed; a damaged one leaves its former version in use.
 */
export class AddressDatabases {
  readonly #deps: AddressDatabasesDeps;
  readonly #paths: readonly string[];
  #databases: readonly Database[] = [];
  /** Versions of files whose content cannot be used; they are not read again. */
  readonly #broken = new Map<string, string>();
  /** The last failure that was logged of a file that cannot be used. */
  readonly #failures = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(deps: AddressDatabasesDeps) {
    this.#deps = deps;
    this.#paths = deps.paths.slice(0, addressFilesMax);
  }

  static none(): AddressDatabases {
    const log = { info: () => undefined, warn: () => undefined };
    return new AddressDatabases({ paths: [], log });
  }

  get hasCountries(): boolean {
    return this.#databases.some(({ hasCountries }) => hasCountries);
  }

  get hasNetworks(): boolean {
    return this.#databases.some(({ hasNetworks }) => hasNetworks);
  }

  /** Resolves when the files were read for the first time. Never rejects. */
  start(): Promise<void> {
    const leftOut = this.#deps.paths.slice(addressFilesMax);
    if (leftOut.length > 0) {
      this.#deps.log.warn(
        { files: leftOut, filesMax: addressFilesMax },
        "there are too many databases of addresses; these are not used",
      );
    }
    if (this.#paths.length === 0) return Promise.resolve();
    this.#timer ??= setInterval(() => void this.look(), lookEveryMs).unref();
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

  /** The first database that knows a part of it tells it. Never throws. */
  placeOf(ip: string): Place {
    let country: string | null = null;
    let network: Network | undefined;
    for (const { reader, hasCountries, hasNetworks } of this.#databases) {
      const record = recordOf(reader, ip);
      if (hasCountries) country ??= countryOf(record);
      if (hasNetworks) network ??= networkOf(record);
    }
    return { country, asn: network?.asn ?? null, network: network?.network ?? null };
  }

  async #readAll(): Promise<void> {
    const databases: Database[] = [];
    for (const path of this.#paths) {
      const known = this.#databases.find((database) => database.path === path);
      const read = await this.#read(path, known);
      if (read !== undefined) databases.push(read);
    }
    this.#databases = databases;
  }

  async #read(path: string, known: Database | undefined): Promise<Database | undefined> {
    let version: string | undefined;
    try {
      const { mtimeMs, size } = await stat(path);
      const found = `${mtimeMs} ${size}`;
      if (known?.version === found || this.#broken.get(path) === found) return known;
      // Only what the file is holds for its version: reading it may succeed the next time.
      const content = size > fileBytesMax ? undefined : await readFile(path);
      version = found;
      if (content === undefined) throw new Error("is too large");
      const reader = new Reader<Response>(content);
      const { databaseType } = reader.metadata;
      const { hasCountries, hasNetworks } = contentOf(databaseType);
      if (!hasCountries && !hasNetworks) throw new Error("has neither countries nor networks");
      this.#deps.log.info({ file: path, databaseType }, "database of addresses is in use");
      this.#failures.delete(path);
      return { path, version, reader, hasCountries, hasNetworks };
    } catch (error) {
      const failure = `${version} ${String(error)}`;
      if (this.#failures.get(path) !== failure) {
        this.#deps.log.warn({ err: error, file: path }, "database of addresses cannot be used");
      }
      this.#failures.set(path, failure);
      if (version !== undefined) this.#broken.set(path, version);
      return known;
    }
  }
}

/** The library throws whatever it stumbles over in a damaged file. */
function recordOf(reader: Reader<Response>, ip: string): Fields {
  try {
    return fieldsOf(reader.get(ip));
  } catch {
    return {};
  }
}
