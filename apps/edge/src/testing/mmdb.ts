export { mmdbOf } from "@palisade/testing/mmdb";
