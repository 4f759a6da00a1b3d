import { Trans, useLingui } from "@lingui/react/macro";
import type { SettingChange } from "@palisade/contract/http/history";
import type { StaffShieldDetails } from "@palisade/contract/http/staff-shields";
import { Panel } from "#src/ui/panel.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import parts from "../parts/parts.module.css";
import { StaffRows } from "../parts/staff-rows.tsx";

/** The actions of staff with their reasons, and the changes of owner and members. */
export function ShieldRecord({ shield }: { shield: StaffShieldDetails }) {
  const { t } = useLingui();
  return (
    <>
      <Panel
        title={<Trans>Actions of staff</Trans>}
        prominent
        note={<Trans>With the reason that was given. The owner does not see names of staff.</Trans>}
      >
        {shield.actions.length === 0 ? (
          <p className={parts["sub"]}>
            <Trans>Staff have changed nothing here.</Trans>
          </p>
        ) : (
          <StaffRows
            label={t`Actions of staff`}
            rows={shield.actions}
            keyOf={({ id }) => id}
            columns={[
              {
                key: "call",
                name: t`Call`,
                bare: true,
                renderCell: ({ route }) => <span className="mono">{route}</span>,
              },
              {
                key: "reason",
                name: t`Reason`,
                renderCell: ({ reason }) => (
                  <span className={parts["reason"]}>{reason ?? "–"}</span>
                ),
              },
              { key: "by", name: t`By`, renderCell: (row) => row.staff_email ?? "–" },
              {
                key: "time",
                name: t`Time`,
                right: true,
                renderCell: (row) => <RelativeTime at={row.created_at} />,
              },
            ]}
          />
        )}
      </Panel>
      <Panel title={<Trans>History</Trans>} prominent>
        {shield.history.length === 0 ? (
          <p className={parts["sub"]}>
            <Trans>Nothing was changed since the shield was created.</Trans>
          </p>
        ) : (
          <StaffRows
            label={t`History`}
            rows={shield.history}
            keyOf={({ id }) => id}
            columns={[
              {
                key: "area",
                name: t`Part`,
                bare: true,
                renderCell: ({ area }) => <span className="mono">{area}</span>,
              },
              {
                key: "changes",
                name: t`Changes`,
                renderCell: ({ changes }) => (
                  <span className={parts["reason"]}>{changes.map(inWords).join("\n")}</span>
                ),
              },
              { key: "by", name: t`By`, renderCell: ({ author }) => author.name },
              {
                key: "time",
                name: t`Time`,
                right: true,
                renderCell: (row) => <RelativeTime at={row.created_at} />,
              },
            ]}
          />
        )}
      </Panel>
    </>
  );
}

/** Fields have their names of the API here: staff look for these in logs, too. */
function inWords({ field, item, before, after, added_count, removed_count }: SettingChange) {
  const name = item === null ? field : `${field} (${item})`;
  if (added_count + removed_count > 0) return `${name}: +${added_count} −${removed_count}`;
  return `${name}: ${shown(before)} → ${shown(after)}`;
}

function shown(value: SettingChange["before"]): string {
  const text = value === null ? "–" : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
