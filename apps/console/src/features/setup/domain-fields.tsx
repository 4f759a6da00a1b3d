import { Button, Skeleton, TextInput } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { normalizeDomain } from "@palisade/contract/http/servers";
import type { UseQueryResult } from "@tanstack/react-query";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import type { SetupForm } from "./setup-form.ts";
import classes from "./setup.module.css";

interface DomainFieldsProps {
  readonly contract: SetupForm;
  readonly cname: UseQueryResult<string>;
}

export function DomainFields({ contract, cname }: DomainFieldsProps) {
  const { t } = useLingui();
  const name = normalizeDomain(contract.form.values.domain);
  return (
    <Panel
      prominent
      title={<Trans>Domain</Trans>}
      note={<Trans>The address players type. Point it at the shield with this DNS record.</Trans>}
    >
      <div className={classes["fields"]}>
        <TextInput
          {...contract.field("domain")}
          label={t`Domain`}
          placeholder="play.example.com"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          classNames={{ input: "mono" }}
        />
        <dl className={classes["record"]}>
          <dt>
            <Trans>Type</Trans>
          </dt>
          <dd className="mono">CNAME</dd>
          <dt>
            <Trans>Name</Trans>
          </dt>
          <dd>
            <span className="mono">{name ?? "play.example.com"}</span>
            {name === null ? null : <CopyButton value={name} label={t`Copy the record name`} />}
          </dd>
          <dt>
            <Trans>Target</Trans>
          </dt>
          <dd>
            <CnameTarget cname={cname} />
          </dd>
        </dl>
        <p className={classes["note"]}>
          <Trans>
            You can create the record now or after the server has been added: the target stays
            yours.
          </Trans>
        </p>
      </div>
    </Panel>
  );
}

function CnameTarget({ cname }: { cname: UseQueryResult<string> }) {
  const { t } = useLingui();
  if (cname.data !== undefined) {
    return (
      <>
        <span className="mono">{cname.data}</span>
        <CopyButton value={cname.data} label={t`Copy the CNAME target`} />
      </>
    );
  }
  if (cname.isError) {
    return (
      <Button variant="default" size="xs" onClick={() => void cname.refetch()}>
        <Trans>Generate again</Trans>
      </Button>
    );
  }
  return <Skeleton width={210} height={14} />;
}
