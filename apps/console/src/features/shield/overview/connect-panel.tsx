import { Trans, useLingui } from "@lingui/react/macro";
import type { Server, ServerOverview } from "@palisade/contract/http/servers";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { Day, RelativeTime } from "#src/ui/time.tsx";
import classes from "./overview.module.css";

/** The address players use, and the shield's dates. */
export function ConnectPanel({ shield, overview }: { shield: Server; overview: ServerOverview }) {
  const { t } = useLingui();
  const address = shield.domain ?? shield.cname_record;
  return (
    <Panel title={<Trans>Connect address</Trans>}>
      <div className={classes["address"]}>
        <span className="mono">{address}</span>
        <CopyButton value={address} label={t`Copy the connect address`} />
      </div>
      <p className={classes["hint"]}>
        <Trans>Players enter this in Minecraft. Your own address stays hidden.</Trans>
      </p>
      <dl className={classes["facts"]}>
        <div>
          <dt>CNAME</dt>
          <dd>
            <span className="mono">{overview.cname_record}</span>
            <CopyButton value={overview.cname_record} label={t`Copy the CNAME target`} />
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Location</Trans>
          </dt>
          <dd>{shield.location.display_name}</dd>
        </div>
        <div>
          <dt>
            <Trans>Created</Trans>
          </dt>
          <dd>
            <RelativeTime at={overview.created_at} />
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Expires</Trans>
          </dt>
          <dd>
            {overview.expires_at === null ? <Trans>Never</Trans> : <Day at={overview.expires_at} />}
          </dd>
        </div>
      </dl>
    </Panel>
  );
}
