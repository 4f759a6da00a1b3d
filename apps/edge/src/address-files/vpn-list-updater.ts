import type { VpnTable } from "#src/rules/address-lookups.ts";
import { type FoundSource, findSources } from "./find-sources.ts";
import { vpnLimits } from "./limits.ts";
import { ListThread } from "./list-thread.ts";
import { PathWatcher } from "./path-watcher.ts";
import type { ParsedList } from "./parsed-list.ts";
import { dropOtherCopies, lastGoodPath } from "./last-good-copies.ts";

/** Files that are written in pieces are read once they have not changed for this long. */
const settleMs = 300;
/** How often files are checked if no change is reported. */
const lookEveryMs = 30_000;

interface VpnLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

export interface VpnListUpdaterDeps {
  /** Files, and folders with files. */
  readonly paths: readonly string[];
  /** Folder of the edge's own with the last good version of each list. */
  readonly lastGoodFolder: string;
  /** Receives the table of all lists, to be used from now on. */
  readonly onTable: (table: VpnTable) => void;
  readonly log: VpnLog;
  /** Time of day. */
  readonly nowMs: () => number;
  readonly lookEveryMs?: number;
  readonly thread?: ListThread;
}

/** A list as metrics show it. */
export interface ListStatus {
  readonly name: string;
  readonly entries: number;
  /** Since the version in use was written. */
  readonly ageMs: number;
  /** The current file is not in use, or not completely. */
  readonly isBroken: boolean;
}

/** The part of a file that is in use, with the time it was written. */
interface Version {
  readonly image: ParsedList | undefined;
  readonly modifiedMs: number | undefined;
  /** The whole file could be read. */
  readonly isWhole: boolean;
}

interface LoadedSource extends Version {
  readonly file: FoundSource;
  /** The problem of the current file. */
  readonly problem: string | undefined;
  /** The problem is not in the file: it is read again even if it has not changed. */
  readonly isPassing: boolean;
}

/** Keeps the edge's VPN lists up to date with their files. No promise here rejects. */
export class VpnListUpdater {
  readonly #deps: VpnListUpdaterDeps;
  readonly #thread: ListThread;
  readonly #watches: readonly PathWatcher[];
  #sources: readonly LoadedSource[] = [];
  /** Whether the table in use is made of these sources. */
  #isCombined = true;
  /** Names of lists that did not fit into it. */
  #leftOut: readonly string[] = [];
  /** The next check reads all files, changed or not. */
  #isForced = false;
  #looks: Promise<void> | undefined;
  #isAskedAgain = false;
  #isStopped = false;
  #settling: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** Lists name AS numbers, but no file gives their networks; logged once. */
  #lacksNetworks = false;
  /** A problem of all lists together; logged once. */
  #trouble: string | undefined;

  constructor(deps: VpnListUpdaterDeps) {
    this.#deps = deps;
    this.#thread = deps.thread ?? new ListThread();
    const onChange = (): void => this.#settle();
    this.#watches = deps.paths.map((place) => new PathWatcher(place, onChange));
  }

  /** Resolves once the existing lists are in use. */
  async start(): Promise<void> {
    const everyMs = this.#deps.lookEveryMs ?? lookEveryMs;
    this.#looking = setInterval(() => void this.#armAndLook(), everyMs).unref();
    await this.#armAndLook();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#looking);
    clearTimeout(this.#settling);
    for (const watch of this.#watches) watch.stop();
    this.#thread.close();
  }

  /** Reads the files that have changed. */
  check(): Promise<void> {
    if (this.#looks !== undefined) this.#isAskedAgain = true;
    this.#looks ??= this.#lookUntilDone().finally(() => {
      this.#looks = undefined;
    });
    return this.#looks;
  }

  /** Reads all files again. */
  reload(): Promise<void> {
    this.#isForced = true;
    return this.check();
  }

  /** Whether a list with entries is in use. */
  get hasLists(): boolean {
    return this.#sources.some(({ image }) => (image?.entries ?? 0) > 0);
  }

  lists(): ListStatus[] {
    const nowMs = this.#deps.nowMs();
    return this.#sources.map(({ file: { name }, image, modifiedMs, problem }) => ({
      name,
      entries: image?.entries ?? 0,
      ageMs: modifiedMs === undefined ? 0 : Math.max(0, nowMs - modifiedMs),
      isBroken: problem !== undefined || !this.#isCombined || this.#leftOut.includes(name),
    }));
  }

  #settle(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.#armAndLook(), settleMs).unref();
  }

  /** Armed first, so that no change is missed in between. */
  #armAndLook(): Promise<void> {
    if (!this.#isStopped) for (const watch of this.#watches) watch.arm();
    return this.check();
  }

  async #lookUntilDone(): Promise<void> {
    do {
      this.#isAskedAgain = false;
      await this.#lookOnce().then(
        (trouble) => this.#noteTrouble(trouble),
        (error: unknown) => this.#noteTrouble(error instanceof Error ? error.message : "unknown"),
      );
    } while (this.#isAskedAgain && !this.#isStopped);
  }

  /** @returns what cannot be used of it all */
  async #lookOnce(): Promise<string | undefined> {
    const all = await findSources(this.#deps.paths);
    const found = all.slice(0, vpnLimits.sourcesMax);
    const isForced = this.#isForced;
    this.#isForced = false;
    const before = new Map(this.#sources.map((kept) => [kept.file.path, kept]));
    const sources: LoadedSource[] = [];
    for (const file of found) {
      const kept = before.get(file.path);
      const isSame = !isForced && kept?.file.stamp === file.stamp && !kept.isPassing;
      sources.push(isSame ? kept : await this.#read(file, kept));
      if (this.#isStopped) return undefined;
    }
    this.#isCombined &&=
      sources.length === this.#sources.length &&
      sources.every(({ image }, place) => image === this.#sources[place]?.image);
    this.#sources = sources;
    if (!this.#isCombined) await this.#useAll();
    return troubleOf(all.length - found.length, this.#leftOut);
  }

  /**
   * A file that cannot be read leaves its last good version in use; a start finds that version on
   * disk.
   */
  async #read(file: FoundSource, kept: LoadedSource | undefined): Promise<LoadedSource> {
    const { log, lastGoodFolder: spareFolder } = this.#deps;
    const { path, name, stamp } = file;
    const spare = lastGoodPath(spareFolder, path);
    const read = await this.#thread.read({ path, name, spare });
    const { image, problem, modifiedMs } = read;
    if (problem === undefined) {
      log.info({ path, entries: image?.entries }, "VPN list taken");
      return { file, image, modifiedMs, isWhole: true, problem, isPassing: false };
    }
    const good = kept?.isWhole === true ? kept : await this.#readSpare(spare, name);
    const version = good ?? { image: image ?? kept?.image, modifiedMs, isWhole: false };
    const isNews = kept?.isPassing !== true || kept.problem !== problem;
    if (isNews && !this.#isStopped) {
      const what =
        good === undefined ? "what can be read of it is used" : "its last good version goes on";
      log.warn(
        { path, problem, entries: version.image?.entries ?? 0 },
        `VPN list is broken; ${what}`,
      );
    }
    // A missing file is found when it appears.
    const isPassing = read.isPassing === true && stamp !== "";
    return { ...version, file, problem, isPassing };
  }

  async #readSpare(path: string, name: string): Promise<Version | undefined> {
    const { image, problem, modifiedMs } = await this.#thread.read({ path, name });
    return problem === undefined ? { image, modifiedMs, isWhole: true } : undefined;
  }

  /** From here on all are in one table; if that fails, the next check tries again. */
  async #useAll(): Promise<void> {
    const { lastGoodFolder: spareFolder, log, onTable } = this.#deps;
    const spares = this.#sources.map(({ file }) => lastGoodPath(spareFolder, file.path));
    await dropOtherCopies(spareFolder, new Set(spares));
    const images = this.#sources.flatMap(({ image }) => image ?? []);
    const combined = await this.#thread.combine(images);
    if (combined === undefined || this.#isStopped) return;
    const { table, leftOut } = combined;
    onTable(table);
    this.#isCombined = true;
    this.#leftOut = leftOut;
    const ranges = table.ranges4.count + table.ranges6.count;
    log.info({ lists: images.length - leftOut.length, ranges }, "VPN lists are in use");
    this.#noteLackOfNetworks(images);
  }

  #noteLackOfNetworks(images: readonly ParsedList[]): void {
    const lacksNetworks =
      images.some(({ asns }) => asns.length > 0) && images.every(({ kind }) => kind !== "asn");
    if (lacksNetworks && !this.#lacksNetworks) {
      this.#deps.log.warn({}, "VPN lists name AS numbers, and no .mmdb file says whose they are");
    }
    this.#lacksNetworks = lacksNetworks;
  }

  #noteTrouble(trouble: string | undefined): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    if (trouble !== undefined && !this.#isStopped) {
      this.#deps.log.warn({ problem: trouble }, "VPN lists are not all in use as they are");
    }
  }
}

function troubleOf(filesTooMany: number, leftOut: readonly string[]): string | undefined {
  const { sourcesMax, rangesMax } = vpnLimits;
  const problems = [
    ...(filesTooMany > 0 ? [`${filesTooMany} files after the first ${sourcesMax}`] : []),
    ...(leftOut.length > 0 ? [`${leftOut.join(", ")}: more than ${rangesMax} ranges in all`] : []),
  ];
  return problems.length > 0 ? `left out: ${problems.join("; ")}` : undefined;
}
