import { useLocation } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { declineStepUp, useStepUp } from "#src/api/step-up.ts";
import { closeModal, useModal } from "#src/lib/modals.ts";
import { withTexts } from "../locale.ts";

const RechargeModal = lazy(async () => {
  const modal = import("#src/features/billing/recharge/recharge-modal.tsx");
  return { default: (await withTexts("billing", modal)).RechargeModal };
});
const PaymentMethodModal = lazy(async () => {
  const modal = import("#src/features/billing/cards/payment-method-modal.tsx");
  return { default: (await withTexts("billing", modal)).PaymentMethodModal };
});
const StepUpDialog = lazy(async () => {
  const dialog = import("#src/features/profile/step-up/step-up-dialog.tsx");
  return { default: (await withTexts("profile", dialog)).StepUpDialog };
});

/** Shows the open modal above the current page. Leaving the page closes it. */
export function ModalHost() {
  const { pathname } = useLocation();
  return (
    <>
      <CloseOnLeave key={pathname} />
      <Suspense fallback={null}>
        <OpenModal />
      </Suspense>
    </>
  );
}

/** Outside of Suspense: a suspended component would run this effect while it loads. */
function CloseOnLeave() {
  useEffect(() => closeModal, []);
  return null;
}

function OpenModal() {
  const { openModalName, modalPayload } = useModal();
  switch (openModalName) {
    case "recharge balance":
      return <RechargeModal suggested={modalPayload?.amount} onClose={closeModal} />;
    case "add payment method":
      return <PaymentMethodModal onClose={closeModal} />;
    case null:
      return null;
    default:
      return openModalName satisfies never;
  }
}

/** Asks the user to confirm their identity when a call requires it, above any page or dialog. */
export function StepUpHost() {
  const { asked } = useStepUp();
  const address = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return (
    <>
      <DeclineOnLeave key={address} />
      {asked === null ? null : (
        <Suspense fallback={null}>
          <StepUpDialog onConfirmed={asked.confirmed} onDeclined={asked.declined} />
        </Suspense>
      )}
    </>
  );
}

/** Leaving the page, also by the back button or a redirect to the login, counts as no. */
function DeclineOnLeave() {
  useEffect(() => declineStepUp, []);
  return null;
}
