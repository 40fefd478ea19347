/** Addresses that a name of the public network may stand for. */

import { BlockList, isIPv4, isIPv6 } from "node:net";

/** What IANA lists as special: this machine, private, link-local (and the metadata of clouds), shared, tests, groups. */
const special4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Public addresses of version 6; within them, what stands for an address of version 4 or for nothing. */
const public6 = ["2000::/3"];
const special6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/** An address as text, to whether it is public. */
export function publicAddresses(): (address: string) => boolean {
  const not4 = listOf(special4, "ipv4");
  const only6 = listOf(public6, "ipv6");
  const not6 = listOf(special6, "ipv6");
  return (address) => {
    if (isIPv4(address)) return !not4.check(address, "ipv4");
    return isIPv6(address) && only6.check(address, "ipv6") && !not6.check(address, "ipv6");
  };
}

function listOf(subnets: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = "", length] = subnet.split("/");
    list.addSubnet(network, Number(length), family);
  }
  return list;
}
