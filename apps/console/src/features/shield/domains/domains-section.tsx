import type { Server } from "@palisade/contract/http/servers";
import type { Change } from "../receipt.tsx";
import { DomainsPanel } from "./domains-panel.tsx";
import classes from "./domains.module.css";
import { RegionPanel } from "./region-panel.tsx";
import { Trans, useLingui } from "@lingui/react/macro";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Panel } from "#src/ui/panel.tsx";

interface DomainsSectionProps {
  readonly shield: Server;
  readonly onChange: (change: Change) => void;
}

export function DomainsSection({ shield, onChange }: DomainsSectionProps) {
  return (
    <div className={classes["section"]}>
      <div className={classes["columns"]}>
        <CnamePanel cname={shield.cname_record} />
        <RegionPanel shieldId={shield.id} onChange={onChange} />
      </div>
      <DomainsPanel shield={shield} onChange={onChange} />
    </div>
  );
}

function CnamePanel({ cname }: { cname: string }) {
  const { t } = useLingui();
  return (
    <Panel prominent title={<Trans>Protected CNAME</Trans>}>
      <p className={classes["cname"]}>
        <span className="mono">{cname}</span>
        <CopyButton value={cname} label={t`Copy the CNAME target`} />
      </p>
      <p className={classes["hint"]}>
        <Trans>
          Point every domain of this shield here. Players can also join with this address directly.
        </Trans>
      </p>
    </Panel>
  );
}
