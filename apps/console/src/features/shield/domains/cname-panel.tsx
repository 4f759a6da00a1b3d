import { Trans, useLingui } from "@lingui/react/macro";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import classes from "./domains.module.css";

export function CnamePanel({ cname }: { cname: string }) {
  const { t } = useLingui();
  return (
    <Panel prominent title={<Trans>Protected CNAME</Trans>}>
      <p className={classes["cname"]}>
        <span className="mono">{cname}</span>
        <CopyButton value={cname} label={t`Copy the CNAME target`} />
      </p>
      <p className={classes["hint"]}>
        <Trans>
          Every domain of this shield points here. Players can also join by this name itself.
        </Trans>
      </p>
    </Panel>
  );
}
