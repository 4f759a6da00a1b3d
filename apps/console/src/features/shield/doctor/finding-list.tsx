import { msg } from "@lingui/core/macro";
import { Trans, useLingui } from "@lingui/react/macro";
import type { DoctorFinding } from "@palisade/contract/http/server-setup";
import { paths } from "#src/lib/paths.ts";
import { LinkButton } from "#src/ui/link-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./doctor.module.css";
import { mendingSection, type FindingGroup } from "./findings.ts";
import { Outcome } from "./outcome.tsx";

interface FindingGroupPanelProps {
  readonly shieldId: string;
  readonly group: FindingGroup;
}

const subjects = {
  dns: msg`DNS`,
  edge: msg`Edges`,
  backend: msg`Your server`,
  proxy: msg`PROXY protocol`,
  version: msg`Minecraft version`,
  origin: msg`Origin lockdown`,
  bedrock: msg`Bedrock`,
} as const satisfies Record<DoctorFinding["subject"], unknown>;

export function FindingGroupPanel({ shieldId, group }: FindingGroupPanelProps) {
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
                <Finding
                  key={`${finding.code} ${finding.name}`}
                  shieldId={shieldId}
                  finding={finding}
                />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Panel>
  );
}

function Finding({ shieldId, finding }: { shieldId: string; finding: DoctorFinding }) {
  const section = mendingSection(finding.code);
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
        {section === undefined ? null : (
          <LinkButton
            variant="default"
            size="compact-xs"
            to={paths.shield}
            params={{ shieldId, section }}
          >
            {section === "backends" ? (
              <Trans>Open backends</Trans>
            ) : (
              <Trans>Open Bedrock/Geyser</Trans>
            )}
          </LinkButton>
        )}
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
