import { useLingui } from "@lingui/react/macro";
import { useDocumentTitle } from "@mantine/hooks";
import { IconShieldOff } from "@tabler/icons-react";
import { paths } from "#src/lib/paths.ts";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { LinkButton } from "#src/ui/link-button.tsx";

/** For an address without a shield's id. */
export function ShieldNotFoundPage() {
  const { t } = useLingui();
  useDocumentTitle(`${t`Server not found`} · Palisade`);
  return (
    <>
      <h1 className="visually-hidden">{t`Game Shield`}</h1>
      <EmptyState
        icon={<IconShieldOff size={22} stroke={1.6} />}
        title={t`Server not found`}
        text={t`Check the link, or ask the owner of the shield.`}
        action={<LinkButton to={paths.dashboard}>{t`Go Back`}</LinkButton>}
      />
    </>
  );
}
