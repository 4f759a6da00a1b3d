import { Trans, useLingui } from "@lingui/react/macro";
import type { AccountApiKey } from "@palisade/contract/http/account";
import { useNow } from "#src/lib/use-now.ts";
import { Day } from "#src/ui/time.tsx";
import { scopeLabels } from "./key-labels.ts";
import { LastUsed } from "./last-used.tsx";
import classes from "./security.module.css";

export function ApiKeyRow({ apiKey }: { apiKey: AccountApiKey }) {
  const { i18n } = useLingui();
  const { expires_at: expires } = apiKey;
  const isOver = useNow() >= new Date(expires ?? "9999-01-01");
  return (
    <div className={classes["about"]}>
      <span className={classes["name"]}>
        {apiKey.name}
        <span className={classes["badge"]}>{i18n._(scopeLabels[apiKey.scope])}</span>
        {isOver ? (
          <span className={classes["badge"]} data-tone="over">
            <Trans>Expired</Trans>
          </span>
        ) : null}
      </span>
      <p>
        <LastUsed at={apiKey.last_used_at} />
        {" · "}
        {expires === null ? (
          <Trans>Does not expire</Trans>
        ) : (
          <Trans>
            Expires <Day at={expires} />
          </Trans>
        )}
        {" · "}
        <Trans>
          Created <Day at={apiKey.created_at} />
        </Trans>
      </p>
    </div>
  );
}
