import type { DoctorFinding, DoctorReport } from "@palisade/contract/http/server-setup";
import { isTextKey, renderText, type Locale } from "@palisade/contract/texts/render";
import { findingOutcomes, worstOf, type Finding, type Seen } from "./findings.ts";

type Subject = DoctorFinding["subject"];

export function presentReport(
  findings: readonly Finding[],
  { now, locale }: { readonly now: Date; readonly locale: Locale },
): DoctorReport {
  const told = findings.map((finding) => presentFinding(finding, locale));
  return {
    checked_at: now.toISOString(),
    outcome: worstOf(told.map(({ outcome }) => outcome)),
    findings: told,
  };
}

function presentFinding(
  { code, name, edge, values, seen }: Finding,
  locale: Locale,
): DoctorFinding {
  const known = { ...values, name };
  const fix = `doctor.${code}.fix`;
  return {
    // Codes begin with their subject.
    subject: code.slice(0, code.indexOf(".")) as Subject,
    name,
    edge,
    outcome: findingOutcomes[code],
    code,
    title: renderText(locale, `doctor.${code}`, known),
    fix: isTextKey(fix) ? renderText(locale, fix, known) : null,
    seen: seen === undefined ? null : presentSeen(seen, locale),
  };
}

function presentSeen(seen: Seen, locale: Locale): string {
  if (seen.kind === "literal") return seen.text;
  return renderText(locale, `doctor.seen.${seen.kind}`, seen.values);
}
