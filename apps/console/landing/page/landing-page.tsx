import { msg } from "@lingui/core/macro";
import type { PublicPage } from "../public-page.tsx";
import { CallToAction } from "./call-to-action.tsx";
import { Footer } from "./footer.tsx";
import { Header } from "./header.tsx";
import { Hero } from "./hero.tsx";
import { Ping } from "./ping.tsx";
import { Prices } from "./prices.tsx";
import { Protection } from "./protection.tsx";
import { Services } from "./services.tsx";

export const landingPage: PublicPage = {
  title: msg`DDoS protection for Minecraft servers`,
  description: msg`Palisade filters attacks before they reach your Minecraft server: Java and Bedrock, a free base plan, settings from a panel.`,
  Content: LandingPage,
};

function LandingPage() {
  return (
    <>
      <Header />
      <main id="content">
        <Hero />
        <Services />
        <Ping />
        <Prices />
        <Protection />
        <CallToAction />
      </main>
      <Footer />
    </>
  );
}
