/**
 * A failure that the owner of the site can act on. The CLI prints `message` (what
 * happened) and `advice` (what to do) on a line each and ends with exit code 1.
 */
export class Failure extends Error {
  /**
   * @param {string} message what happened, one line
   * @param {string} advice what to do next, one line
   * @param {ErrorOptions} [options]
   */
  constructor(message, advice, options) {
    super(message, options);
    this.name = new.target.name;
    this.advice = advice;
    this.exitCode = 1;
  }
}

/** The command line itself is wrong: exit code 2. */
export class UsageError extends Failure {
  /**
   * @param {string} message
   * @param {string} [advice]
   */
  constructor(message, advice = 'Run stacosys-hook --help for what there is.') {
    super(message, advice);
    this.exitCode = 2;
  }
}
