import type { AttackCourse, AttackDetail } from "@palisade/contract/edge/attack-detail";
import { coursePointsMax, courseSteps } from "@palisade/contract/edge/attack-limits";
import { attackSourcesMax } from "@palisade/contract/http/attacks";

interface PartTimes {
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/** One edge's course, levels and sources of an attack. */
export interface PartDetail extends PartTimes {
  readonly detail: AttackDetail;
}

/** One edge's course alone. */
export interface PartCourse extends PartTimes {
  readonly course: AttackCourse;
}

type EditionLogins = NonNullable<AttackDetail["editions"]>;

/** The same of all edges together. */
export interface MergedDetail {
  /** One edge's: each counts for itself. */
  readonly threshold: number;
  /** The same of datagrams; null where they were no attack. */
  readonly datagramsThreshold: number | null;
  readonly course: AttackCourse;
  readonly levels: AttackDetail["levels"];
  /** Null where no edge has told it, or no login had an outcome yet. */
  readonly editions: EditionLogins | null;
  readonly addresses: AttackDetail["addresses"];
  readonly networks: AttackDetail["networks"];
  readonly names: AttackDetail["names"];
}

/** An attack is reported up to this long after its first second, and ends some seconds after its last. */
const marginSeconds = 30;
/** An edge's clock may be ahead; what it tells of a later time is not true. */
const aheadSeconds = 300;
/** Numbers of edges are bounded so that their sums stay exact. */
const countMax = 1_000_000_000_000;

export function mergeDetails(parts: readonly PartDetail[]): MergedDetail | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const details = parts.map(({ detail }) => detail);
  return {
    threshold: Math.max(...details.map(({ threshold }) => threshold)),
    datagramsThreshold: highest(details.flatMap((each) => each.datagrams_threshold ?? [])),
    course: mergeCourses(
      parts.map(({ detail, ...times }) => ({ ...times, course: detail.course })),
    ),
    levels: mergeLevels(details),
    editions: addEditions(details),
    addresses: addUp(
      details.flatMap(({ addresses }) => addresses),
      ({ address }) => address,
    ),
    networks: addUp(
      details.flatMap(({ networks }) => networks),
      ({ network }) => network,
    ),
    names: addUp(
      details.flatMap(({ names }) => names),
      ({ shape }) => shape,
    ),
  };
}

/** The most in a second. */
export interface Peaks {
  readonly logins: number;
  readonly datagrams: number;
}

/** The sum of all edges, as the course shows it. */
export function peaksOf({ peaks, datagrams = [] }: AttackCourse): Peaks {
  return { logins: highest(peaks) ?? 0, datagrams: highest(datagrams) ?? 0 };
}

/** Null where there is none. */
function highest(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}

interface Point {
  logins: number;
  peak: number;
  admitted: number;
  datagrams: number;
}

/**
 * Courses of several edges on one scale. Within an edge the peak of a wider point is the highest of
 * those in it; over edges peaks of the same point add up, because it is the same time.
 */
export function mergeCourses(parts: readonly PartCourse[]): AttackCourse {
  const spans = parts.map((part) => ({ course: part.course, ...boundsOf(part) }));
  const begins = spans.flatMap(({ course, from }) =>
    course.logins.length === 0 ? [] : [Math.max(course.from, from)],
  );
  const ends = spans.flatMap(({ course, to }) =>
    course.logins.length === 0
      ? []
      : [Math.min(course.from + course.logins.length * course.step, to)],
  );
  const begin = Math.min(...begins);
  const end = Math.max(...ends);
  const least = Math.max(...spans.map(({ course }) => course.step));
  const step =
    courseSteps.find((one) => one >= least && (end - begin) / one < coursePointsMax) ?? 3_600;
  if (!(end > begin)) return { from: 0, step, logins: [], peaks: [], admitted: [] };
  const from = begin - (begin % step);
  const length = Math.min(coursePointsMax, Math.ceil((end - from) / step));
  const sums = emptyPoints(length);
  for (const { course, from: earliest, to: latest } of spans) {
    const own = emptyPoints(length);
    for (const [index, logins] of course.logins.entries()) {
      const at = course.from + index * course.step;
      // A part that is in two attacks gives each its own time.
      if (at + course.step <= earliest || at >= latest) continue;
      const point = own[Math.floor((Math.max(at, from) - from) / step)];
      if (point === undefined) continue;
      point.logins += Math.min(logins, countMax);
      point.peak = Math.max(point.peak, Math.min(course.peaks[index] ?? 0, countMax));
      point.admitted += Math.min(course.admitted[index] ?? 0, countMax);
      const datagrams = Math.min(course.datagrams?.[index] ?? 0, countMax);
      point.datagrams = Math.max(point.datagrams, datagrams);
    }
    for (const [index, { logins, peak, admitted, datagrams }] of own.entries()) {
      const sum = sums[index];
      if (sum === undefined) continue;
      sum.logins += logins;
      sum.peak += peak;
      sum.admitted += admitted;
      sum.datagrams += datagrams;
    }
  }
  return {
    from,
    step,
    logins: sums.map(({ logins }) => logins),
    peaks: sums.map(({ peak }) => peak),
    admitted: sums.map(({ admitted }) => admitted),
    ...(parts.some(({ course }) => course.datagrams !== undefined) && {
      datagrams: sums.map(({ datagrams }) => datagrams),
    }),
  };
}

function emptyPoints(length: number): Point[] {
  return Array.from({ length }, () => ({ logins: 0, peak: 0, admitted: 0, datagrams: 0 }));
}

function boundsOf({ startedAt, endedAt }: PartTimes): { from: number; to: number } {
  const from = Math.floor(startedAt.getTime() / 1_000) - marginSeconds;
  const to =
    endedAt === null
      ? Math.ceil(Date.now() / 1_000) + aheadSeconds
      : Math.ceil(endedAt.getTime() / 1_000) + marginSeconds;
  return { from: Math.max(0, from), to };
}

function addEditions(details: readonly AttackDetail[]): EditionLogins | null {
  const sum = (edition: keyof EditionLogins) =>
    details.reduce(
      (total, { editions }) => total + Math.min(editions?.[edition] ?? 0, countMax),
      0,
    );
  const editions = { java: sum("java"), bedrock: sum("bedrock") };
  return editions.java + editions.bedrock === 0 ? null : editions;
}

/** Edges tell of the same change at slightly different times. */
const sameChangeMs = 15_000;

function mergeLevels(details: readonly AttackDetail[]): AttackDetail["levels"] {
  const merged: AttackDetail["levels"] = [];
  const all = details
    .flatMap(({ levels }) => levels)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  for (const change of all) {
    const isKnown = merged.some(
      ({ at, level, cause }) =>
        level === change.level &&
        cause === change.cause &&
        (cause === "start" || Date.parse(change.at) - Date.parse(at) <= sameChangeMs),
    );
    if (!isKnown) merged.push(change);
  }
  return merged;
}

/** The same keys of several edges together, the most frequent first. */
function addUp<Item extends { readonly logins: number }>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Item[] {
  const sums = new Map<string, Item>();
  for (const item of items) {
    const key = keyOf(item);
    const logins = Math.min(item.logins, countMax) + (sums.get(key)?.logins ?? 0);
    sums.set(key, { ...item, logins });
  }
  return [...sums.values()].toSorted((a, b) => b.logins - a.logins).slice(0, attackSourcesMax);
}
