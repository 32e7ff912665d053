const StrykerEnvironment = require('@stryker-mutator/jest-runner/jest-env/node');

/** A mutant is noticed at the first test that fails: the other tests of the file are skipped. */
module.exports = class FirstFailureEnvironment extends StrykerEnvironment {
  failed = false;

  async handleTestEvent(event) {
    if (event.name === 'test_done' && event.test.errors.length > 0) this.failed = true;
    if (event.name === 'test_start' && this.failed) event.test.mode = 'skip';
  }
};
