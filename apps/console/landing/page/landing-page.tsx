import { msg } from "@lingui/core/macro";
import { productFeatures } from "@palisade/contract/product-features";
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
  description: productFeatures.bedrock
    ? msg`Palisade filters attacks before they reach your Minecraft server: Java and Bedrock, a free base plan, settings in a control panel.`
    : msg`Palisade filters attacks before they reach your Minecraft server: always on, with a free base plan and settings in a control panel.`,
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
