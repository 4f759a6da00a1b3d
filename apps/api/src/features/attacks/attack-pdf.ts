import { refusalReasons } from "@palisade/contract/edge/plain-values";
import type { AttackPage } from "@palisade/contract/http/attacks";
import { duration } from "@palisade/contract/texts/duration";
import type { Locale } from "@palisade/contract/texts/locale";
import { drawnLine } from "#src/platform/pdf/pdf-fonts.ts";
import {
  createPdf,
  gap,
  grey,
  margin,
  page,
  type Pdf,
  PdfWriter,
  right,
  writeLines,
} from "#src/platform/pdf/pdf-writer.ts";
import { attackText, causeName, levelName, reasonName } from "./attack-texts.ts";

const width = right - margin;
const chart = { height: 130, foot: 14, label: 34 };
const red = "#c22f2f";
const pale = "#dddddd";

/** The report of an attack, A4. Times are UTC. */
export async function renderAttackPdf(
  attack: AttackPage,
  serverName: string,
  locale: Locale,
  now: Date,
): Promise<Buffer> {
  const title = attackText(locale, "title");
  const { pdf, bytes } = await createPdf(locale, { title, author: "Palisade", at: now });
  const writer = new PdfWriter(pdf);
  writer.put(title, { x: margin, y: writer.y, width }, { size: 20, font: "bold" });
  writer.y += writer.heightOf(title, width, 20, "bold") + gap;
  writeFacts(writer, attack, serverName, locale, now);
  writeCourses(writer, attack, locale);
  const number = numberFormat(locale);
  const refused = refusalReasons
    .flatMap((reason) => {
      const amount = attack.refused[reason] ?? 0;
      return amount === 0 ? [] : [{ name: reasonName(locale, reason), amount }];
    })
    .toSorted((a, b) => b.amount - a.amount);
  writeList(
    writer,
    attackText(locale, "reasons"),
    refused.map(({ name, amount }) => [name, number(amount)]),
    locale,
  );
  const time = timeFormat(locale);
  writeList(
    writer,
    attackText(locale, "levels"),
    attack.levels.map(({ at, level, cause }) => [
      `${time(at)} · ${causeName(locale, cause)}`,
      levelName(locale, level),
    ]),
    locale,
  );
  writePlayers(writer, attack, locale);
  const atLeast = (logins: number) => `${attackText(locale, "atLeast")} ${number(logins)}`;
  writeList(
    writer,
    attackText(locale, "names"),
    attack.names.map(({ shape, logins }) => [shape, atLeast(logins)]),
    locale,
  );
  writeList(
    writer,
    attackText(locale, "networkList"),
    attack.networks.map(({ network, logins }) => [network, atLeast(logins)]),
    locale,
  );
  writeList(
    writer,
    attackText(locale, "addresses"),
    attack.addresses.map(({ address, logins }) => [address, atLeast(logins)]),
    locale,
  );
  if (attack.addresses_masked) {
    writeLines(writer, [attackText(locale, "masked")], { x: margin, width });
  }
  writeFooters(pdf, serverName, locale);
  pdf.end();
  return bytes;
}

function writeFacts(
  writer: PdfWriter,
  attack: AttackPage,
  serverName: string,
  locale: Locale,
  now: Date,
): void {
  const number = numberFormat(locale);
  const time = timeFormat(locale);
  const rate = (count: number) => attackText(locale, "perSecond", { count: number(count) });
  const end = attack.ended_at ?? now.toISOString();
  const text = (key: Parameters<typeof attackText>[1], value: string) =>
    `${attackText(locale, key)}: ${value}`;
  const lines = [
    text("server", drawnLine(serverName)),
    text("began", time(attack.started_at)),
    attack.ended_at === null ? attackText(locale, "ongoing") : text("ended", time(attack.ended_at)),
    text("duration", duration(locale, Date.parse(end) - Date.parse(attack.started_at))),
    text("peak", rate(attack.peak_per_second)),
    ...(attack.datagrams_peak === 0 ? [] : [text("datagrams", rate(attack.datagrams_peak))]),
    ...(attack.threshold === null ? [] : [text("threshold", rate(attack.threshold))]),
    text("networks", number(attack.sources)),
    text("edges", number(attack.edges)),
    ...(attack.logins === null ? [] : [text("logins", number(attack.logins))]),
    ...(attack.editions ? [text("ofBedrock", number(attack.editions.bedrock))] : []),
    ...(attack.admitted === null ? [] : [text("admitted", number(attack.admitted))]),
    attackText(locale, "utc"),
  ];
  writeLines(writer, lines, { x: margin, width });
  writer.y += gap;
}

/** The course of the logins, and that of the datagrams where they were an attack. */
function writeCourses(writer: PdfWriter, attack: AttackPage, locale: Locale): void {
  const { course, threshold, datagrams_threshold: datagramsThreshold } = attack;
  const reserve = chart.height + chart.foot + 30;
  writeHead(writer, attackText(locale, "course"), reserve);
  if (course === null) {
    writeLines(writer, [attackText(locale, "noCourse")], { x: margin, width });
    writer.y += gap;
    return;
  }
  writeCourse(writer, { ...course, values: course.peaks, threshold }, locale);
  if (course.datagrams === null) return;
  writeHead(writer, attackText(locale, "datagramsCourse"), reserve);
  const values = course.datagrams;
  writeCourse(writer, { ...course, values, threshold: datagramsThreshold }, locale);
}

interface DrawnCourse extends Pick<NonNullable<AttackPage["course"]>, "from" | "step_seconds"> {
  readonly values: readonly number[];
  readonly threshold: number | null;
}

/** Bars of the highest second of each point, and the threshold. */
function writeCourse(
  writer: PdfWriter,
  { values, threshold, ...course }: DrawnCourse,
  locale: Locale,
): void {
  const { pdf } = writer;
  const number = numberFormat(locale);
  const highest = Math.max(1, threshold ?? 0, ...values);
  const left = margin + chart.label;
  const top = writer.y;
  const base = top + chart.height;
  const barWidth = (right - left) / values.length;
  const yOf = (value: number) => base - (value / highest) * chart.height;
  for (const value of [0, highest / 2, highest]) {
    pdf.moveTo(left, yOf(value)).lineTo(right, yOf(value)).lineWidth(0.5).stroke(pale);
    const label = number(Math.round(value));
    const at = { x: margin, y: yOf(value) - 5, width: chart.label - 6 };
    writer.put(label, at, { size: 7, align: "right", color: grey });
  }
  for (const [index, peak] of values.entries()) {
    if (peak === 0) continue;
    const y = yOf(peak);
    pdf.rect(left + index * barWidth, y, Math.max(0.5, barWidth * 0.85), base - y).fill(red);
  }
  if (threshold !== null) {
    pdf.moveTo(left, yOf(threshold)).lineTo(right, yOf(threshold)).lineWidth(1);
    pdf.dash(4, { space: 3 }).stroke("#000000").undash();
  }
  const time = timeFormat(locale);
  const begin = Date.parse(course.from);
  const end = begin + values.length * course.step_seconds * 1_000;
  const foot = { x: left, y: base + 3, width: right - left };
  writer.put(time(new Date(begin).toISOString()), foot, { size: 7, color: grey });
  writer.put(time(new Date(end).toISOString()), foot, { size: 7, align: "right", color: grey });
  writer.y = base + chart.foot;
  if (threshold !== null) {
    writer.put(
      attackText(locale, "thresholdLine"),
      { x: left, y: writer.y, width: right - left },
      { size: 7, color: grey },
    );
    writer.y += 10;
  }
  writer.y += gap;
}

function writePlayers(writer: PdfWriter, { players }: AttackPage, locale: Locale): void {
  const number = numberFormat(locale);
  const shown = (value: number | null) =>
    value === null ? attackText(locale, "unknown") : number(value);
  const rows = (["before", "during", "after"] as const).map((when): [string, string] => [
    attackText(locale, `players.${when}`),
    shown(players?.[when] ?? null),
  ]);
  writeList(writer, attackText(locale, "players"), rows, locale);
}

function writeHead(writer: PdfWriter, head: string, reserve: number): void {
  writer.reserve(reserve);
  writer.put(head, { x: margin, y: writer.y, width }, { size: 11, font: "bold" });
  writer.y += writer.heightOf(head, width, 11, "bold") + 4;
}

/** Names with their numbers at the right edge. */
function writeList(
  writer: PdfWriter,
  head: string,
  rows: readonly (readonly [string, string])[],
  locale: Locale,
): void {
  writeHead(writer, head, 60);
  if (rows.length === 0) writeLines(writer, [attackText(locale, "none")], { x: margin, width });
  for (const [name, amount] of rows) {
    const line = drawnLine(name);
    const height = writer.heightOf(line, width - 140, 9);
    writer.reserve(height + 3);
    writer.put(line, { x: margin, y: writer.y, width: width - 140 }, { size: 9 });
    writer.put(amount, { x: right - 130, y: writer.y, width: 130 }, { size: 9, align: "right" });
    writer.y += height + 3;
  }
  writer.y += gap;
}

/** When the number of pages is known. */
function writeFooters(pdf: Pdf, serverName: string, locale: Locale): void {
  const { count: pages } = pdf.bufferedPageRange();
  for (let index = 0; index < pages; index += 1) {
    pdf.switchToPage(index);
    const number = attackText(locale, "page", { page: index + 1, pages });
    const text = `${drawnLine(serverName)} · ${number}`;
    pdf.font("regular").fontSize(8).fillColor(grey);
    pdf.text(text, margin, page.height - 45, { width, height: 15, align: "center" });
  }
}

const intlLocales = { en: "en-GB", ru: "ru-RU" } as const;

function timeFormat(locale: Locale): (at: string) => string {
  const format = new Intl.DateTimeFormat(intlLocales[locale], {
    dateStyle: "medium",
    timeStyle: "medium",
    timeZone: "UTC",
  });
  return (at) => format.format(new Date(at)).replaceAll(" ", "\u00A0");
}

function numberFormat(locale: Locale): (value: number) => string {
  const format = new Intl.NumberFormat(intlLocales[locale], { maximumFractionDigits: 1 });
  return (value) => format.format(value);
}
