/** Keys of test channels, which run on loopback for one test run. */
export const testKeys = {
  channelKey: "dep_e2e_shop",
  chatKey: "ck_e2e_only_for_the_tests_of_this_tree",
  teamKey: "tk_e2e_only_for_the_tests_of_this_tree",
  sessionSecret: "e2e session secret only for the tests of this tree",
} as const;
