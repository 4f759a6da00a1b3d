import { Trans, useLingui } from "@lingui/react/macro";
import type { NetworkRule } from "@palisade/contract/http/network-rules";
import { useState } from "react";
import { useLocale } from "#src/lib/preferences.ts";
import { useNow } from "#src/lib/use-now.ts";
import { Pager } from "#src/ui/pager.tsx";
import { RemoveButton } from "#src/ui/remove-button.tsx";
import { Status } from "#src/ui/status.tsx";
import { Table } from "#src/ui/table.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { useMayChange } from "../../may-change.ts";
import { actionLabels } from "./action-labels.ts";
import classes from "./networks.module.css";
import { subjectName } from "./rule-subject.ts";

const rowsPerPage = 25;

interface RuleTableProps {
  readonly rules: readonly NetworkRule[];
  /** Id of the rule being removed. */
  readonly removing: string | null;
  readonly onRemove: (rule: NetworkRule) => void;
}

export function RuleTable({ rules, removing, onRemove }: RuleTableProps) {
  const { t } = useLingui();
  const mayChange = useMayChange();
  const [page, setPage] = useState(1);
  const lastPage = Math.max(1, Math.ceil(rules.length / rowsPerPage));
  const shown = Math.min(page, lastPage);
  return (
    <>
      <div className={classes["rules"]}>
        <Table
          dense
          label={t`Countries and networks`}
          columns={[
            { key: "rule", name: t`Rule` },
            { key: "action", name: t`Action` },
            { key: "note", name: t`Note` },
            { key: "added", name: t`Added` },
            { key: "ends", name: t`Ends` },
            ...(mayChange ? [{ key: "actions", name: t`Actions`, right: true }] : []),
          ]}
        >
          {rules.slice((shown - 1) * rowsPerPage, shown * rowsPerPage).map((rule) => (
            <Row
              key={rule.id}
              rule={rule}
              busy={rule.id === removing}
              onRemove={mayChange ? () => onRemove(rule) : undefined}
            />
          ))}
        </Table>
      </div>
      <Pager page={shown} lastPage={lastPage} onPage={setPage} />
    </>
  );
}

interface RowProps {
  readonly rule: NetworkRule;
  readonly busy: boolean;
  /** Undefined for readers. */
  readonly onRemove: (() => void) | undefined;
}

function Row({ rule, busy, onRemove }: RowProps) {
  const { t, i18n } = useLingui();
  const { locale } = useLocale();
  const now = useNow();
  const hasEnded = rule.expires_at !== null && Date.parse(rule.expires_at) <= now.getTime();
  const name = subjectName(rule, locale);
  const { tone, name: action } = actionLabels[rule.action];
  return (
    <tr data-ended={hasEnded || undefined}>
      <td className={classes["subject"]}>
        <span className={rule.country === null ? "mono" : undefined}>{name}</span>{" "}
        <span className={classes["detail"]}>{rule.country ?? rule.network}</span>
      </td>
      <td>
        <Status tone={hasEnded ? "idle" : tone} isPast>
          {i18n._(action)}
        </Status>
      </td>
      <td className={classes["note"]}>{rule.note}</td>
      <td className="dim">
        <span className={classes["word"]}>
          <Trans>Added</Trans>{" "}
        </span>
        <RelativeTime at={rule.created_at} />
      </td>
      <td className="dim" data-never={rule.expires_at === null || undefined}>
        <End rule={rule} hasEnded={hasEnded} />
      </td>
      {onRemove === undefined ? null : (
        <td data-right>
          <RemoveButton
            size={26}
            label={t`Delete the rule for ${name}`}
            loading={busy}
            onClick={onRemove}
          />
        </td>
      )}
    </tr>
  );
}

function End({ rule: { expires_at: end }, hasEnded }: { rule: NetworkRule; hasEnded: boolean }) {
  if (end === null) return <Trans>Never</Trans>;
  return hasEnded ? (
    <>
      <Trans>Ended</Trans> <RelativeTime at={end} />
    </>
  ) : (
    <>
      <span className={classes["word"]}>
        <Trans>Ends</Trans>{" "}
      </span>
      <RelativeTime at={end} />
    </>
  );
}
