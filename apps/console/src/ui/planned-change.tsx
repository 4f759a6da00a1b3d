import { Trans } from "@lingui/react/macro";
import { IconCalendarEvent } from "@tabler/icons-react";
import { ActionButton } from "./action-button.tsx";
import { Banner } from "./banner.tsx";
import { Day } from "./time.tsx";

interface PlannedChangeProps {
  readonly planned: { readonly plan: { readonly name: string }; readonly effective_at: string };
  readonly isBusy: boolean;
  /** Null for members, who cannot cancel it. */
  readonly onCancel: (() => void) | null;
}

/** A plan that begins with the next period. */
export function PlannedChange({ planned, isBusy, onCancel }: PlannedChangeProps) {
  const { name } = planned.plan;
  return (
    <Banner
      tone="neutral"
      icon={<IconCalendarEvent size={17} stroke={1.6} aria-hidden="true" />}
      stacks
      aside={
        onCancel === null ? null : (
          <ActionButton variant="default" size="compact-sm" loading={isBusy} onClick={onCancel}>
            <Trans>Cancel the change</Trans>
          </ActionButton>
        )
      }
    >
      <Trans>
        The plan changes to <strong>{name}</strong> on <Day at={planned.effective_at} />.
      </Trans>
    </Banner>
  );
}
