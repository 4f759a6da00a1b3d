import type { VpnTable } from "#src/protection/vpn-lookup.ts";
import { type FoundSource, findSources } from "./find-sources.ts";
import { vpnLimits } from "./limits.ts";
import { ListThread } from "./list-thread.ts";
import { PlaceWatch } from "./place-watch.ts";
import type { SourceImage } from "./source-image.ts";
import { dropOtherSpares, spareOf } from "./spare-copies.ts";

/** Files that are written bit by bit come to rest for this long. */
const settleMs = 300;
/** Where nothing says that a file has changed. */
const lookEveryMs = 30_000;

interface VpnLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

export interface VpnKeeperDeps {
  /** Files, and folders with files. */
  readonly places: readonly string[];
  /** Of the edge's own: the last good version of each list. */
  readonly spareFolder: string;
  /** A table of all lists, to be used from now on. */
  readonly onTable: (table: VpnTable) => void;
  readonly log: VpnLog;
  /** Time of day. */
  readonly nowMs: () => number;
  readonly lookEveryMs?: number;
}

/** A list as metrics show it. */
export interface ListFacts {
  readonly name: string;
  readonly entries: number;
  /** Since the version in use was written. */
  readonly ageMs: number;
  /** The file as it is now cannot be taken, or not wholly. */
  readonly isBroken: boolean;
}

interface KeptSource {
  readonly file: FoundSource;
  /** The last good version, with the time it was written. */
  readonly image: SourceImage | undefined;
  readonly modifiedMs: number | undefined;
  readonly isBroken: boolean;
}

/** Keeps the edge's VPN lists as their files are. Nothing here rejects. */
export class VpnKeeper {
  readonly #deps: VpnKeeperDeps;
  readonly #thread = new ListThread();
  readonly #watches: readonly PlaceWatch[];
  #sources: readonly KeptSource[] = [];
  /** All are read, changed or not. */
  #isForced = false;
  #looks: Promise<void> | undefined;
  #isAskedAgain = false;
  #isStopped = false;
  #settling: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** AS numbers are listed, and their networks unknown; told once. */
  #lacksNetworks = false;
  /** What troubles all lists together; told once. */
  #trouble: string | undefined;

  constructor(deps: VpnKeeperDeps) {
    this.#deps = deps;
    const onChange = (): void => this.#settle();
    this.#watches = deps.places.map((place) => new PlaceWatch(place, onChange));
  }

  /** Resolves once what is there is in use. */
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
    this.#thread.end();
  }

  /** Takes what has changed. */
  look(): Promise<void> {
    if (this.#looks !== undefined) this.#isAskedAgain = true;
    this.#looks ??= this.#lookUntilDone().finally(() => {
      this.#looks = undefined;
    });
    return this.#looks;
  }

  /** Takes all of them anew. */
  reload(): Promise<void> {
    this.#isForced = true;
    return this.look();
  }

  lists(): ListFacts[] {
    const nowMs = this.#deps.nowMs();
    return this.#sources.map(({ file, image, modifiedMs, isBroken }) => ({
      name: file.name,
      entries: image?.entries ?? 0,
      ageMs: modifiedMs === undefined ? 0 : Math.max(0, nowMs - modifiedMs),
      isBroken,
    }));
  }

  #settle(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => void this.#armAndLook(), settleMs).unref();
  }

  /** Armed first, so that nothing changes unseen in between. */
  #armAndLook(): Promise<void> {
    if (!this.#isStopped) for (const watch of this.#watches) watch.arm();
    return this.look();
  }

  async #lookUntilDone(): Promise<void> {
    do {
      this.#isAskedAgain = false;
      await this.#lookOnce().then(
        () => this.#noteTrouble(undefined),
        (error: unknown) => this.#noteTrouble(error instanceof Error ? error.message : "unknown"),
      );
    } while (this.#isAskedAgain && !this.#isStopped);
  }

  async #lookOnce(): Promise<void> {
    const found = await findSources(this.#deps.places);
    if (found.length > vpnLimits.sourcesMax) {
      throw new Error(`there are more than ${vpnLimits.sourcesMax} files`);
    }
    const isForced = this.#isForced;
    this.#isForced = false;
    const before = new Map(this.#sources.map((kept) => [kept.file.path, kept]));
    const sources: KeptSource[] = [];
    for (const file of found) {
      const kept = before.get(file.path);
      const isSame = !isForced && kept?.file.stamp === file.stamp;
      sources.push(isSame ? kept : await this.#read(file, kept));
    }
    const isChanged =
      sources.length !== this.#sources.length ||
      sources.some(({ image }, place) => image !== this.#sources[place]?.image);
    this.#sources = sources;
    if (!isChanged || this.#isStopped) return;
    const { spareFolder } = this.#deps;
    await dropOtherSpares(
      spareFolder,
      new Set(found.map(({ path }) => spareOf(spareFolder, path))),
    );
    await this.#combine();
  }

  /** A file that cannot be taken leaves its last good version in use, which a start finds on disk. */
  async #read(file: FoundSource, kept: KeptSource | undefined): Promise<KeptSource> {
    const { log, spareFolder } = this.#deps;
    const { path, name } = file;
    const spare = spareOf(spareFolder, path);
    const { image, problem, modifiedMs } = await this.#thread.read({ path, name, spare });
    if (problem === undefined) {
      log.info({ path, entries: image?.entries }, "VPN list taken");
      return { file, image, modifiedMs, isBroken: false };
    }
    const good = kept?.image === undefined ? await this.#thread.read({ path: spare, name }) : kept;
    if (good.image !== undefined) {
      log.warn({ path, problem }, "VPN list is broken; its last good version goes on");
      return { file, image: good.image, modifiedMs: good.modifiedMs, isBroken: true };
    }
    const entries = image?.entries ?? 0;
    log.warn({ path, problem, entries }, "VPN list is broken; what can be read of it is used");
    return { file, image, modifiedMs, isBroken: true };
  }

  async #combine(): Promise<void> {
    const images = this.#sources.flatMap(({ image }) => image ?? []);
    const table = await this.#thread.combine(images);
    if (table === undefined || this.#isStopped) return;
    this.#deps.onTable(table);
    const ranges = table.ranges4.count + table.ranges6.count;
    this.#deps.log.info({ lists: images.length, ranges }, "VPN lists are in use");
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
    if (trouble !== undefined) {
      this.#deps.log.warn({ problem: trouble }, "VPN lists stay as they are");
    }
  }
}
