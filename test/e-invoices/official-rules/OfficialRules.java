import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.XPathCompiler;
import net.sf.saxon.s9api.XdmDestination;
import net.sf.saxon.s9api.XdmItem;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.Xslt30Transformer;
import net.sf.saxon.s9api.XsltExecutable;

/**
 * Checks e-invoices with the official XML schemas and Schematron rules, all in one JVM. Each line of standard input
 * is the name of a rule set, a tab, and a file. The output has two kinds of lines, whose fields are separated by tabs:
 *
 * - the name of a rule set, and a rule that it contains;
 * - a file, a rule that it breaks, `fatal` or another severity, and the rule's text. A file without a line is valid.
 */
public final class OfficialRules {
  private static final String CII = "/external/schemas/d16b/data/standard/CrossIndustryInvoice_100pD16B.xsd";
  private static final String UBL = "/external/schemas/ubl21/maindoc/UBL-Invoice-2.1.xsd";
  private static final String CREDIT_NOTE = "/external/schemas/ubl21/maindoc/UBL-CreditNote-2.1.xsd";
  private static final String FACTUR_X = "/external/schemas/2.4/";

  private static final String EN_CII = "/external/schematron/1.3.16/cii/EN16931-CII-validation.xslt";
  private static final String EN_UBL = "/external/schematron/1.3.16/ubl/EN16931-UBL-validation.xslt";
  private static final String XRECHNUNG = "/external/schematron/3.0.2/XRechnung-";
  private static final String PEPPOL = "/external/schematron/openpeppol/2026.5/xslt/";
  private static final String FACTUR_X_RULES = "/external/schematron/2.4/FACTUR-X_";

  /** A schema, and the style sheets of the rules. */
  private record RuleSet(String schema, List<String> styleSheets) {}

  private static final Map<String, RuleSet> RULE_SETS = Map.of(
    "en16931-cii", new RuleSet(CII, List.of(EN_CII)),
    "en16931-ubl", new RuleSet(UBL, List.of(EN_UBL)),
    "factur-x-basic", new RuleSet(FACTUR_X + "basic/FACTUR-X_BASIC.xsd", List.of(FACTUR_X_RULES + "BASIC.xslt")),
    "factur-x-en16931", new RuleSet(FACTUR_X + "en16931/FACTUR-X_EN16931.xsd", List.of(FACTUR_X_RULES + "EN16931.xslt")),
    "xrechnung-cii", new RuleSet(CII, List.of(EN_CII, XRECHNUNG + "CII-validation.xslt")),
    "xrechnung-ubl", new RuleSet(UBL, List.of(EN_UBL, XRECHNUNG + "UBL-validation.xslt")),
    "peppol-ubl", new RuleSet(UBL, List.of(PEPPOL + "CEN-EN16931-UBL.xslt", PEPPOL + "PEPPOL-EN16931-UBL.xslt"))
  );

  private static final Processor PROCESSOR = new Processor(false);
  private static final Map<String, Schema> SCHEMAS = new ConcurrentHashMap<>();
  private static final Map<String, XsltExecutable> STYLE_SHEETS = new ConcurrentHashMap<>();

  public static void main(String[] arguments) throws Exception {
    for (String set : RULE_SETS.keySet()) printRules(set);
    var pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    var results = new ArrayList<Future<List<String>>>();
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      String[] fields = line.split("\t", 2);
      results.add(pool.submit(() -> check(RULE_SETS.get(fields[0]), new File(fields[1]))));
    }
    for (Future<List<String>> result : results) result.get().forEach(System.out::println);
    pool.shutdown();
  }

  private static List<String> check(RuleSet rules, File file) throws Exception {
    var problems = new ArrayList<String>();
    byte[] xml = Files.readAllBytes(file.toPath());
    String text = new String(xml, StandardCharsets.UTF_8);
    try {
      schema(rules.schema(), text).newValidator().validate(new StreamSource(new StringReader(text)));
    } catch (org.xml.sax.SAXException error) {
      problems.add(file + "\tschema\tfatal\t" + error.getMessage());
    }
    for (String styleSheet : rules.styleSheets()) problems.addAll(failedAssertions(styleSheet, text, file));
    return problems;
  }

  private static List<String> failedAssertions(String styleSheet, String xml, File file) throws Exception {
    Xslt30Transformer transformer = styleSheet(styleSheet).load30();
    var report = new XdmDestination();
    transformer.setGlobalContextItem(null);
    XdmNode document = PROCESSOR.newDocumentBuilder().build(new StreamSource(new StringReader(xml)));
    transformer.setGlobalContextItem(document);
    transformer.applyTemplates(document, report);
    var lines = new ArrayList<String>();
    for (XdmItem item : xpath().evaluate("//svrl:failed-assert|//svrl:successful-report", report.getXdmNode())) {
      var failed = (XdmNode) item;
      String flag = failed.getAttributeValue(new QName("flag"));
      if (flag == null) flag = failed.getAttributeValue(new QName("role"));
      String message = failed.getStringValue().trim().replaceAll("\\s+", " ");
      lines.add(String.join("\t", file.toString(), ruleOf(failed, message), flag == null ? "fatal" : flag, message));
    }
    return lines;
  }

  /** Factur-X renumbers its assertions, and puts the rule's name into the text: `[BR-01]-An Invoice ...`. */
  private static String ruleOf(XdmNode failed, String message) {
    String id = failed.getAttributeValue(new QName("id"));
    if (message.startsWith("[")) return message.substring(1, message.indexOf(']'));
    return id == null ? "unnamed" : id;
  }

  private static XPathCompiler xpath() {
    XPathCompiler compiler = PROCESSOR.newXPathCompiler();
    compiler.declareNamespace("svrl", "http://purl.oclc.org/dsdl/svrl");
    return compiler;
  }

  private static XsltExecutable styleSheet(String name) {
    return STYLE_SHEETS.computeIfAbsent(name, (path) -> {
      try {
        return PROCESSOR.newXsltCompiler().compile(source(path));
      } catch (Exception error) {
        throw new IllegalStateException(path, error);
      }
    });
  }

  private static Schema schema(String name, String xml) {
    String path = name.equals(UBL) && xml.contains("CreditNote-2") ? CREDIT_NOTE : name;
    return SCHEMAS.computeIfAbsent(path, (schema) -> {
      try {
        // UBL imports these by their namespace alone.
        var sources = path.contains("ubl21")
          ? new Source[] {
            source("/schemas/xmldsig-core-schema.xsd"),
            source("/schemas/XAdES01903v132-201601.xsd"),
            source("/schemas/XAdES01903v141-201601.xsd"),
            source("/schemas/CCTS_CCT_SchemaModule.xsd"),
            source(schema)
          }
          : new Source[] { source(schema) };
        return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(sources);
      } catch (Exception error) {
        throw new IllegalStateException(schema, error);
      }
    });
  }

  private static StreamSource source(String path) throws Exception {
    URL url = OfficialRules.class.getResource(path);
    if (url == null) throw new IllegalStateException("no resource " + path);
    return new StreamSource(url.openStream(), url.toString());
  }

  /** Prints the rules that a set contains: its name, a tab, and the rule. */
  private static void printRules(String set) throws Exception {
    for (String styleSheet : RULE_SETS.get(set).styleSheets()) {
      XdmNode document = PROCESSOR.newDocumentBuilder().build(source(styleSheet));
      XPathCompiler compiler = xpath();
      compiler.declareNamespace("xsl", "http://www.w3.org/1999/XSL/Transform");
      String assertions = "distinct-values((//svrl:failed-assert|//svrl:successful-report)/string(((xsl:attribute[@name='id'], @id)[1])))";
      for (XdmItem id : compiler.evaluate(assertions, document)) System.out.println(set + "\t" + id.getStringValue());
    }
  }
}
