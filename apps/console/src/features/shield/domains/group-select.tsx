import { NativeSelect } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { ShieldDomain, ShieldDomains } from "@palisade/contract/http/domains";
import { unicodeDomain } from "#src/lib/unicode-domain.ts";
import { useMayChange } from "../may-change.ts";
import classes from "./domains.module.css";
import type { DomainChanges } from "./use-domains.ts";

interface GroupSelectProps {
  readonly domain: ShieldDomain;
  readonly groups: ShieldDomains["groups"];
  readonly lead: DomainChanges["lead"];
}

/** The backend group for the domain's players; a choice is shown before it is saved. */
export function GroupSelect({ domain, groups, lead }: GroupSelectProps) {
  const { t } = useLingui();
  const name = unicodeDomain(domain.domain);
  const pending = lead.isPending && lead.variables.domain.id === domain.id ? lead.variables : null;
  return (
    <div className={classes["group"]}>
      <span className={classes["group-label"]} aria-hidden="true">
        <Trans>Backend group</Trans>
      </span>
      <NativeSelect
        size="xs"
        disabled={!useMayChange()}
        aria-label={t`Players of ${name} go to`}
        value={(pending === null ? domain.group_id : pending.groupId) ?? ""}
        onChange={({ currentTarget: { value } }) =>
          lead.mutate({ domain, groupId: value === "" ? null : value })
        }
        data={[
          { value: "", label: t`Group by region` },
          ...groups.map(({ id, name: label }) => ({ value: id, label })),
        ]}
      />
    </div>
  );
}
