import { Select } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import { sharedAttackPath } from "@palisade/contract/console-paths";
import { attackShareDays } from "@palisade/contract/http/attacks";
import { IconLink } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "#src/api/errors.ts";
import { absoluteTime } from "#src/lib/format.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { ActionButton } from "#src/ui/action-button.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { QueryBoundary } from "#src/ui/query-boundary.tsx";
import { toast } from "#src/ui/toasts.tsx";
import classes from "./attack.module.css";
import { type AttackOf, attackSharesQuery, createShare, revokeShare } from "./attacks.queries.ts";

/** Links by which others can read the attack without its addresses. */
export function AttackShares(of: AttackOf) {
  const { t, i18n } = useLingui();
  const client = useQueryClient();
  const query = useQuery(attackSharesQuery(of));
  const [days, setDays] = useState<(typeof attackShareDays)[number]>(7);
  const reload = () => client.invalidateQueries(attackSharesQuery(of));
  const create = useMutation({
    mutationFn: () => createShare(of, days),
    onSuccess: reload,
    onError: (error) => toast("error", errorText(error, t`Failed to create the link`)),
  });
  const link = create.data && `${globalThis.location.origin}${sharedAttackPath(create.data.token)}`;
  return (
    <Panel
      title={<Trans>Links to share</Trans>}
      note={
        <Trans>
          Anyone with a link can read the numbers of this attack. They see no address, no settings,
          no players online, and nothing about your server or your account.
        </Trans>
      }
    >
      <div className={classes["create"]}>
        <Select
          label={t`Valid for`}
          data={attackShareDays.map((each) => ({
            value: String(each),
            label: dayLabel(i18n.locale, each),
          }))}
          value={String(days)}
          allowDeselect={false}
          onChange={(value) => {
            const chosen = attackShareDays.find((each) => String(each) === value);
            if (chosen !== undefined) setDays(chosen);
          }}
        />
        <ActionButton
          leftSection={<IconLink size={16} stroke={1.6} />}
          loading={create.isPending}
          onClick={() => create.mutate()}
        >
          <Trans>Create a link</Trans>
        </ActionButton>
      </div>
      {link === undefined ? null : (
        <p className={classes["link"]} role="status">
          <code>{link}</code>
          <CopyButton value={link} label={t`Copy the link`} />
          <span>
            <Trans>This link is shown only now.</Trans>
          </span>
        </p>
      )}
      <QueryBoundary query={query} errorTitle={t`Failed to load the links`} compact>
        {(shares) =>
          shares.length === 0 ? (
            <p className={classes["none"]}>
              <Trans>There is no link to this attack.</Trans>
            </p>
          ) : (
            <ul className={classes["shares"]}>
              {shares.map((share) => (
                <Share key={share.id} share={share} of={of} onRevoked={reload} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
    </Panel>
  );
}

interface ShareProps {
  readonly share: { readonly id: string; readonly created_at: string; readonly expires_at: string };
  readonly of: AttackOf;
  readonly onRevoked: () => Promise<void>;
}

function Share({ share, of, onRevoked }: ShareProps) {
  const { t } = useLingui();
  const { locale } = useLocale();
  const revoke = useMutation({
    mutationFn: () => revokeShare(of, share.id),
    onSuccess: async ({ message }) => {
      toast("success", message);
      await onRevoked();
    },
    onError: (error) => toast("error", errorText(error, t`Failed to revoke the link`)),
  });
  const made = absoluteTime(locale, new Date(share.created_at));
  const until = absoluteTime(locale, new Date(share.expires_at));
  return (
    <li>
      <span>
        <Trans>
          Created {made}, valid until {until}
        </Trans>
      </span>
      <ActionButton
        variant="default"
        size="compact-sm"
        loading={revoke.isPending}
        aria-label={t`Revoke the link created ${made}`}
        onClick={() => revoke.mutate()}
      >
        <Trans>Revoke</Trans>
      </ActionButton>
    </li>
  );
}

/** `7 days`, in the language of the page. */
function dayLabel(locale: string, days: number): string {
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "day",
    unitDisplay: "long",
  }).format(days);
}
