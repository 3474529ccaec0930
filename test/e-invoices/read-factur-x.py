"""Reads the e-invoices in PDF files with PyPI's factur-x, which checks them against the Factur-X schema.

Prints a line of JSON for each file: the name of the embedded file, the level, and the XML; or the error.
"""

import json
import logging
import sys

from facturx import get_level, get_xml_from_pdf
from lxml import etree

logging.disable()
for path in sys.argv[1:]:
    try:
        with open(path, "rb") as pdf:
            name, xml = get_xml_from_pdf(pdf.read(), check_xsd=True)
        if not xml:
            raise ValueError("the file contains no valid e-invoice")
        print(json.dumps({"name": name, "level": get_level(etree.fromstring(xml)), "xml": xml.decode()}))
    except Exception as error:
        print(json.dumps({"error": str(error)}))
