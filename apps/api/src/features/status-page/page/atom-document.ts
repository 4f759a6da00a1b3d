import type { StatusDocument, StatusIncident } from "@palisade/contract/http/status-page";
import type { Locale } from "@palisade/contract/texts/locale";
import { statusPaths } from "../status-paths.ts";
import { stateWords } from "../status-words.ts";
import { statusTexts } from "./status-texts.ts";

/** More entries are left out, the oldest first. */
const entriesMax = 50;

/**
 * Incidents and maintenances as Atom (RFC 4287): an entry each, which changes with every update.
 *
 * @param origin without a slash at the end
 */
export function renderAtom(document: StatusDocument, origin: string, locale: Locale): string {
  const entries = [...document.current, ...document.planned, ...document.past]
    .toSorted((a, b) => updatedAt(b).localeCompare(updatedAt(a)))
    .slice(0, entriesMax);
  const updated = entries.map(updatedAt)[0] ?? document.generated_at;
  const page = `${origin}${statusPaths.page}`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">
<title>Palisade: ${statusTexts[locale].title}</title>
<id>${xml(page)}</id>
<link rel="alternate" type="text/html" href="${xml(`${page}?lang=${locale}`)}"/>
<link rel="self" type="application/atom+xml" href="${xml(`${origin}${statusPaths.feed}?lang=${locale}`)}"/>
<updated>${updated}</updated>
<author><name>Palisade</name></author>
${entries.map((incident) => renderEntry(incident, page, locale)).join("\n")}
</feed>
`;
}

function renderEntry(incident: StatusIncident, page: string, locale: Locale): string {
  const said = incident.updates.map(
    ({ at, state, text }) => `${at} ${stateWords[locale][state]}: ${text[locale]}`,
  );
  return `<entry>
<title>${xml(`${stateWords[locale][incident.state]}: ${incident.title[locale]}`)}</title>
<id>urn:uuid:${incident.id}</id>
<link rel="alternate" type="text/html" href="${xml(`${page}?lang=${locale}#${incident.id}`)}"/>
<published>${incident.updates.at(-1)?.at ?? incident.starts_at}</published>
<updated>${updatedAt(incident)}</updated>
<content type="text">${xml(said.join("\n\n"))}</content>
</entry>`;
}

function updatedAt({ updates, starts_at }: StatusIncident): string {
  return updates[0]?.at ?? starts_at;
}

/** Without characters that XML 1.0 does not allow, even escaped. */
function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
