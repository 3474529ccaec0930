import org.mustangproject.validator.ZUGFeRDValidator;

/** Checks e-invoices with Mustang, all in one JVM. Prints `true` or `false` for each file. */
public final class MustangResults {
  public static void main(String[] files) {
    for (String file : files) {
      // A validator remembers the errors from earlier files, and so does Mustang's command.
      var validator = new ZUGFeRDValidator();
      validator.disableNotices();
      validator.validate(file);
      System.out.println(validator.wasCompletelyValid());
    }
  }
}
