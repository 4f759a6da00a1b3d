import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { DoctorFinding } from "@palisade/contract/http/server-setup";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./doctor.module.css";
import type { FindingGroup } from "./findings.ts";
import { Outcome } from "./outcome.tsx";

const subjects = {
  dns: msg`DNS`,
  edge: msg`Edges`,
  backend: msg`Your server`,
  proxy: msg`PROXY protocol`,
  version: msg`Minecraft version`,
  origin: msg`Origin lockdown`,
} as const satisfies Record<DoctorFinding["subject"], unknown>;

export function FindingGroupPanel({ group }: { group: FindingGroup }) {
  const { i18n } = useLingui();
  return (
    <Panel prominent title={i18n._(subjects[group.subject])} className={classes["group"]}>
      <div className={classes["edges"]}>
        {group.edges.map(({ edge, findings }) => (
          <div key={edge} className={classes["edge"]}>
            {edge === null ? null : (
              <h3 className={classes["edgeName"]}>
                <Trans>
                  Seen from <span className="mono">{edge}</span>
                </Trans>
              </h3>
            )}
            <ul>
              {findings.map((finding) => (
                <Finding key={`${finding.code} ${finding.name}`} finding={finding} />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Panel>
  );
}

function Finding({ finding }: { finding: DoctorFinding }) {
  return (
    <li className={classes["finding"]}>
      <Outcome outcome={finding.outcome} />
      <div className={classes["words"]}>
        <p className={classes["title"]}>{finding.title}</p>
        <p className={classes["seen"]}>
          {finding.title.includes(finding.name) ? null : (
            <span className="mono">{finding.name}</span>
          )}
          {finding.seen === null ? null : <span>{finding.seen}</span>}
        </p>
        {finding.fix === null ? null : (
          <p className={classes["fix"]}>
            <strong>
              <Trans>What to do:</Trans>
            </strong>{" "}
            {finding.fix}
          </p>
        )}
      </div>
    </li>
  );
}
