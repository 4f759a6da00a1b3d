import type {
  OverallState,
  StatusComponent,
  StatusDocument,
  StatusIncident,
} from "@palisade/contract/http/status-page";
import type { Locale } from "@palisade/contract/texts/locale";
import { escapeHtml } from "#src/platform/mail/layout.ts";
import { shownStatus } from "../status-document.service.ts";
import { statusPaths } from "../status-paths.ts";
import { clockInUtc, dateInUtc, stateWords, timeInUtc } from "../status-words.ts";
import { dayBefore, dayOf } from "../uptime.service.ts";
import { renderBars } from "./day-bars.ts";
import { renderFrame, type PageView } from "./page-frame.ts";
import { renderSubscribe } from "./subscribe-form.ts";
import { fill, statusTexts } from "./status-texts.ts";

/** Recent days that are listed even where nothing happened. */
const quietDays = 7;

export interface StatusView extends PageView {
  readonly now: Date;
  /** Without the database nothing can be subscribed. */
  readonly canSubscribe: boolean;
}

/** The status page: everything it shows is in the document. */
export function renderStatus(kept: StatusDocument, view: StatusView): string {
  const { locale, now } = view;
  const text = statusTexts[locale];
  const { document, isStale } = shownStatus(kept, now);
  const shownAt = timeInUtc(document.generated_at, locale);
  const names = new Map(document.components.map(({ location, name }) => [location, name[locale]]));
  const of = (incident: StatusIncident) => renderIncident(incident, names, locale, "h3");
  const content = [
    renderOverall(document.state, fill(text.asOf, { time: shownAt }), locale),
    isStale
      ? `<p class="notice" role="status">${escapeHtml(fill(text.stale, { time: shownAt }))}</p>`
      : "",
    renderIncidents(text.current, document.current.map(of)),
    renderIncidents(text.planned, document.planned.map(of)),
    renderComponents(document.components, view),
    renderPast(document.past, names, view),
    view.canSubscribe && !isStale ? renderSubscribe(locale, {}) : "",
  ].join("\n");
  return renderFrame(view, { title: text.title, content, path: statusPaths.page, isIndexed: true });
}

const overallLooks = {
  operational: {
    level: "ok",
    icon: `<path d="M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M9 12l2 2l4 -4"/>`,
  },
  maintenance: {
    level: "info",
    icon: `<path d="M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M12 7v5l3 3"/>`,
  },
  degraded: {
    level: "warn",
    icon: `<path d="M12 9v4m0 3.5v.01M10.36 3.6L2.26 17.1A1.9 1.9 0 0 0 3.9 20h16.2a1.9 1.9 0 0 0 1.64 -2.9L13.64 3.6a1.9 1.9 0 0 0 -3.28 0z"/>`,
  },
  outage: {
    level: "bad",
    icon: `<path d="M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M10 10l4 4m0 -4l-4 4"/>`,
  },
} as const satisfies Record<OverallState, unknown>;

function renderOverall(state: OverallState, asOf: string, locale: Locale): string {
  const { level, icon } = overallLooks[state];
  return `<div class="overall ${level}"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${icon}</svg>
<div><h1>${statusTexts[locale].overall[state]}</h1><p>${escapeHtml(asOf)}</p></div></div>`;
}

const componentLevels = {
  operational: "ok",
  degraded: "warn",
  down: "bad",
  unknown: "none",
} as const;

function renderComponents(
  components: readonly StatusComponent[],
  { locale, now }: StatusView,
): string {
  const text = statusTexts[locale];
  const isEmpty = components.every(({ location }) => location === null);
  const rows = components.map((component) => {
    const { name, state, edges } = component;
    const counted = edges === null ? "" : `<small>${fill(text.edges, edges)}</small>`;
    return `<li><div class="name"><h3>${escapeHtml(name[locale])}</h3>${state === "unknown" ? "" : counted}<span class="state ${componentLevels[state]}">${text.component[state]}</span></div>
${renderBars(component, now, locale)}</li>`;
  });
  const legend = (["ok", "warn", "bad", "none"] as const).map(
    (level) => `<li class="${level}">${text.legend[level]}</li>`,
  );
  return `<section><h2>${text.components}</h2><ul class="panel components">${isEmpty ? `<li class="empty">${text.noComponents}</li>` : ""}${rows.join("\n")}</ul>
<ul class="legend">${legend.join("")}</ul></section>`;
}

function renderIncidents(heading: string, incidents: readonly string[]): string {
  if (incidents.length === 0) return "";
  return `<section><h2>${heading}</h2><div class="incidents">${incidents.join("\n")}</div></section>`;
}

type Names = ReadonlyMap<string | null, string>;

function renderIncident(
  incident: StatusIncident,
  names: Names,
  locale: Locale,
  heading: "h3" | "h4",
): string {
  const text = statusTexts[locale];
  const affected = [
    ...incident.locations.map((location) => names.get(location) ?? location),
    ...(incident.affects_console ? [text.console] : []),
  ];
  const about = [
    stateWords[locale][incident.state],
    timesOf(incident, locale),
    affected.length === 0 ? "" : `${text.affects}: ${affected.join(", ")}`,
  ].filter((part) => part !== "");
  const updates = incident.updates.map(
    ({ at, state, text: said }) =>
      `<li><p><b>${stateWords[locale][state]}.</b> ${escapeHtml(said[locale])}</p><time datetime="${at}">${timeInUtc(at, locale)}</time></li>`,
  );
  return `<article class="${heading === "h3" ? "panel " : ""}incident ${incidentLevel(incident)}" id="${incident.id}"><${heading}>${escapeHtml(incident.title[locale])}</${heading}>
<p class="about">${escapeHtml(about.join(" · "))}</p><ol class="updates">${updates.join("")}</ol></article>`;
}

function incidentLevel({ kind, impact, ended_at }: StatusIncident): "ok" | "info" | "bad" | "warn" {
  if (kind === "maintenance") return "info";
  if (ended_at !== null) return "ok";
  return impact === "major" ? "bad" : "warn";
}

function timesOf({ starts_at, ends_at, ended_at }: StatusIncident, locale: Locale): string {
  const text = statusTexts[locale];
  const from = timeInUtc(starts_at, locale);
  const end = ended_at ?? ends_at;
  if (end === null) return fill(text.from, { from });
  const isSameDay = dayOf(new Date(starts_at)) === dayOf(new Date(end));
  return fill(text.fromTo, {
    from: isSameDay ? from.replace(/ UTC$/, "") : from,
    to: isSameDay ? clockInUtc(end, locale) : timeInUtc(end, locale),
  });
}

function renderPast(
  past: readonly StatusIncident[],
  names: Names,
  { locale, now }: StatusView,
): string {
  const text = statusTexts[locale];
  const recent = Array.from({ length: quietDays }, (_, index) => dayBefore(now, index));
  const startDay = ({ starts_at }: StatusIncident) => dayOf(new Date(starts_at));
  const days = [...new Set([...recent, ...past.map(startDay)])].toSorted().toReversed();
  const rows = days.map((day) => {
    const ofDay = past.filter((incident) => startDay(incident) === day);
    const said =
      ofDay.length === 0
        ? `<p class="nothing">${text.nothing}</p>`
        : ofDay.map((incident) => renderIncident(incident, names, locale, "h4")).join("\n");
    return `<li><h3>${dateInUtc(day, locale)}</h3>${said}</li>`;
  });
  return `<section><h2>${text.past}</h2><ol class="panel past">${rows.join("\n")}<li class="nothing">${text.nothingElse}</li></ol></section>`;
}
