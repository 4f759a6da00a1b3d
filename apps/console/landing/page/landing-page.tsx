import { useLingui } from "@lingui/react/macro";
import { usePageWords } from "../use-page-words.ts";
import { Doubt } from "./doubt.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { Hero } from "./hero.tsx";
import { Ping } from "./ping.tsx";
import { Prices } from "./prices.tsx";
import { Protection } from "./protection.tsx";
import { Services } from "./services.tsx";

export function LandingPage() {
  const { t } = useLingui();
  usePageWords(
    t`DDoS protection for Minecraft servers`,
    t`Palisade filters attacks before they reach your Minecraft server: Java and Bedrock, a free base plan, settings from a panel.`,
  );
  return (
    <>
      <Header />
      <main id="content">
        <Hero />
        <Services />
        <Ping />
        <Prices />
        <Protection />
        <Doubt />
      </main>
      <Footer />
    </>
  );
}
